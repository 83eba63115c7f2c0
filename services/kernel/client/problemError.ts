/** An answer of the API that is not a success, as the error that a program inside would have thrown. */
import type { Problem } from "../../../schemas/api/problem.ts";
import { type CaziError, type CaziErrorOptions, Rejection, Retryable } from "../errors.ts";

/** Members of a problem that have a place of their own in the error. */
const placed = new Set(["type", "title", "detail", "code", "hint", "errors"]);

/**
 * The error of a problem document: same code, sentence, hint and details; `fields.status` is the HTTP status.
 * `Retryable` where the same request may succeed later (429 and 5xx but 500 and 501), else `Rejection`. Pure.
 * @param body what the answer held; anything but a problem document gives the code `HTTP_<status>`
 */
export function problemError(status: number, body: unknown): CaziError {
  const problem = isObject(body) ? (body as Partial<Problem>) : {};
  const code = typeof problem.code === "string" ? problem.code : `HTTP_${status}`;
  const message = text(problem.detail) ?? text(problem.title) ?? `the server answered ${status}`;
  const hint = text(problem.hint);
  const options: CaziErrorOptions = {
    ...(hint === undefined ? {} : { hint }),
    ...(Array.isArray(problem.errors) ? { details: problem.errors } : {}),
    fields: { ...extraFields(problem), status },
  };
  return isRetryableStatus(status)
    ? new Retryable(code, message, options)
    : new Rejection(code, message, options);
}

/** 500 is a bug and 501 a missing feature: asking again changes neither. */
function isRetryableStatus(status: number): boolean {
  return status === 429 || status >= 502;
}

function extraFields(problem: object): Record<string, string | number | boolean | null> {
  const fields: Record<string, string | number | boolean | null> = {};
  for (const [name, value] of Object.entries(problem)) {
    if (placed.has(name)) continue;
    const isScalar = ["string", "number", "boolean"].includes(typeof value) || value === null;
    if (isScalar) fields[name] = value as string | number | boolean | null;
  }
  return fields;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
