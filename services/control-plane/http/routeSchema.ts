import type { z } from "zod";
import { problem, problemMediaType } from "../../../schemas/api/problem.ts";
import { problems as catalogue } from "../../../schemas/problems/catalogue.ts";
import { invariant } from "../../kernel/errors.ts";

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
  readonly answers: Readonly<Record<number, AnswerDocument>>;
  /** Codes that an answer of this route may have, beside those that any route's may. */
  readonly problems?: readonly string[];
  /** False for routes that need no token. */
  readonly token?: false;
}

const OF_ANY_ROUTE = ["REQUEST_MALFORMED", "HOST_NOT_ALLOWED", "INTERNAL"];
const OF_A_TOKEN = [
  "UNAUTHENTICATED",
  "RATE_LIMITED",
  "ROLE_TOO_LOW",
  "TOKENS_UNREACHABLE",
  "SIGN_IN_UNREACHABLE",
];

interface AnswerDocument {
  readonly about: string;
  /** None for an answer without a body. */
  readonly content: Readonly<Record<string, z.ZodType>>;
  /** What each header of it says. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The document as the framework wants it. */
export function routeSchema(of: RouteDocument): Record<string, unknown> {
  const { answers, token, problems = [], ...rest } = of;
  const response: Record<string, unknown> = {
    default: { description: "A problem.", content: { [problemMediaType]: { schema: problem } } },
  };
  const codes = [...OF_ANY_ROUTE, ...(token === false ? [] : OF_A_TOKEN), ...problems];
  Object.assign(response, problemAnswers(codes));
  const more: Record<number, AnswerMore> = {};
  for (const [status, { about, content, headers = {} }] of Object.entries(answers)) {
    const types = Object.entries(content).map(([type, schema]) => [type, { schema }] as const);
    if (types.length > 0) response[status] = { description: about, content: Object.fromEntries(types) };
    more[Number(status)] = { about, headers, hasBody: types.length > 0 };
  }
  return { ...rest, ...(token === false ? { security: [] } : {}), response, [ANSWERS_MORE]: more };
}

/** What the schema library's transform of a document has no place for: headers, and answers without a body. */
const ANSWERS_MORE = "x-cazi-answers";

interface AnswerMore {
  readonly about: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
}

/** Adds to a transformed schema what {@link ANSWERS_MORE} holds of it. */
export function withAnswersMore(schema: Record<string, unknown>): Record<string, unknown> {
  const { [ANSWERS_MORE]: more = {}, ...rest } = schema;
  const response = { ...(rest.response as Record<string, object> | undefined) };
  for (const [status, { about, headers, hasBody }] of Object.entries(more as Record<string, AnswerMore>)) {
    const named = Object.entries(headers).map(
      ([name, description]) => [name, { type: "string", description }] as const,
    );
    const answer = hasBody ? response[status] : { description: about, type: "null" };
    response[status] = { ...answer, ...(named.length > 0 ? { headers: Object.fromEntries(named) } : {}) };
  }
  return { ...rest, response };
}

/** Codes of one status are one answer: the document says each of them, and what it means. */
function problemAnswers(codes: readonly string[]): Record<number, unknown> {
  const answers: Record<number, { description: string; content: unknown }> = {};
  for (const code of new Set(codes)) {
    const { status, means } = catalogue[code] ?? { status: null, means: "" };
    invariant(status !== null, `${code} is a problem that an answer can have`);
    const line = `${code}: ${means}`;
    answers[status] = {
      description: answers[status] === undefined ? line : `${answers[status].description}\n\n${line}`,
      content: { [problemMediaType]: { schema: problem } },
    };
  }
  return answers;
}
