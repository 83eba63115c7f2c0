import { inSpan, noTracer, type Tracer } from "../services/kernel/tracing/tracer.ts";
import { type Answers, methods } from "./answers.ts";
import { validTraceparent } from "./call.ts";

/**
 * The same answers, each in a span that what it asks of the API belongs to.
 * @param ofRequest the `traceparent` header of the request that carries the message, for messages that name no span
 */
export function traceAnswers(
  answers: Answers,
  tracer: Tracer = noTracer,
  ofRequest: string | null = null,
): Answers {
  if (!tracer.on) return answers;
  const traced = methods.map((method) => {
    const answer: Answers[typeof method] = (params, call) => {
      const name = typeof params?.name === "string" ? params.name : null;
      const span = tracer.startSpan(name === null ? method : `${method} ${name}`, {
        parent: call.traceparent ?? validTraceparent(ofRequest),
        kind: "server",
        attributes: { "mcp.method.name": method, ...(name === null ? {} : { "gen_ai.tool.name": name }) },
      });
      return inSpan(span, () => answers[method](params, { ...call, traceparent: span.traceparent }));
    };
    return [method, answer] as const;
  });
  return Object.fromEntries(traced) as Answers;
}
