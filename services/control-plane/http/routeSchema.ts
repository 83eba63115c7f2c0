import type { z } from "zod";
import { problem, problemMediaType } from "../../../schemas/api/problem.ts";

/**
 * What the OpenAPI document says of a route. Requests are read in the handlers by the same schemas, and answers
 * are typed; the framework is only told for the document, so that an answer costs one `JSON.stringify`.
 */
export interface RouteDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly params?: z.ZodType;
  readonly querystring?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly consumes?: readonly string[];
  /** Media types and schemas of the answer, by status. */
  readonly answers: Readonly<
    Record<number, { readonly about: string; readonly content: Readonly<Record<string, z.ZodType>> }>
  >;
  /** False for routes that need no token. */
  readonly token?: false;
}

/** The document as the framework wants it. */
export function routeSchema(of: RouteDocument): Record<string, unknown> {
  const { answers, token, ...rest } = of;
  const response: Record<string, unknown> = {
    default: { description: "A problem.", content: { [problemMediaType]: { schema: problem } } },
  };
  for (const [status, { about, content }] of Object.entries(answers)) {
    const types = Object.entries(content).map(([type, schema]) => [type, { schema }] as const);
    response[status] = { description: about, content: Object.fromEntries(types) };
  }
  return { ...rest, ...(token === false ? { security: [] } : {}), response };
}
