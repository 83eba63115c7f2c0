/**
 * What the parameters of a request have to be, before a library sees them: what a library says of wrong ones is no
 * sentence, and by some methods has the number of a server's own failure. Members that are not listed here are left to
 * it. Pure.
 */
import { z } from "zod";
import { pointerTo } from "../services/domain/spec/jsonPointer.ts";
import { ProtocolFailure } from "./protocolFailure.ts";

/** More than these say nothing new. */
const toldMax = 10;

const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? "is missing" : `must be ${what}`,
});
const text = z.string(must("text"));
const members = <S extends z.ZodRawShape>(shape: S) => z.looseObject(shape, must("an object"));
const object = members({});
const texts = z.record(z.string(), text, must("an object"));
const page = members({ cursor: text.optional() });

const schemas = new Map<string, z.ZodType>([
  [
    "initialize",
    members({
      protocolVersion: text,
      capabilities: object,
      clientInfo: members({ name: text, version: text }),
    }),
  ],
  ["tools/list", page],
  ["tools/call", members({ name: text, arguments: object.optional() })],
  ["resources/list", page],
  ["resources/templates/list", page],
  ["resources/read", members({ uri: text })],
  ["prompts/list", page],
  ["prompts/get", members({ name: text, arguments: texts.optional() })],
  [
    "completion/complete",
    members({
      ref: z.discriminatedUnion(
        "type",
        [
          z.looseObject({ type: z.literal("ref/prompt"), name: text }),
          z.looseObject({ type: z.literal("ref/resource"), uri: text }),
        ],
        must("ref/prompt or ref/resource"),
      ),
      argument: members({ name: text, value: text }),
      context: members({ arguments: texts.optional() }).optional(),
    }),
  ],
]);

/**
 * What is wrong with a message that is a request: -32602, with a pointer into its parameters for each thing.
 * @param handshake false where the protocol has no `initialize`: it is then unknown, whatever it brings
 */
export function wrongParams(message: unknown, handshake = true): ProtocolFailure | null {
  if (typeof message !== "object" || message === null || !("method" in message && "id" in message))
    return null;
  const method = String(message.method);
  if (method === "initialize" && !handshake) return null;
  const read = schemas.get(method)?.safeParse("params" in message ? message.params : {});
  if (read === undefined || read.success) return null;
  const errors = read.error.issues.slice(0, toldMax).map((issue) => ({
    pointer: pointerTo(issue.path),
    message: issue.message,
  }));
  const said = errors.map((one) => `${one.pointer || "params"} ${one.message}`).join("; ");
  return new ProtocolFailure("invalid", {
    code: "REQUEST_INVALID",
    message: `The parameters of ${method} are invalid: ${said}.`,
    next_step: "Correct what is listed and ask again.",
    errors,
  });
}

/** The answer to a request that is refused so. */
export function refusalOf(id: string | number, { code, message, data }: ProtocolFailure) {
  return { jsonrpc: "2.0" as const, id, error: { code, message, data: { ...data } } };
}
