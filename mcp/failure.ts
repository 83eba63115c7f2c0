/** A failure as an agent sees it, by any protocol. */
import type { CaziError } from "../services/kernel/errors.ts";

/** What went wrong and what to do next; `code` is the API's. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly next_step: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  readonly [fact: string]: unknown;
}

/** The failure as the caller sees it. Pure. */
export function failureOf(error: CaziError): Failure {
  const { refused: _, ...facts } = error.fields;
  return {
    ...facts,
    code: error.code,
    message: error.message,
    next_step: error.hint ?? defaultStep(error),
    ...(error.details.length === 0 ? {} : { errors: error.details }),
  };
}

function defaultStep(error: CaziError): string {
  if (error.family === "retryable") return "Wait a few seconds, then call again with the same arguments.";
  if (error.details.length > 0) return "Correct what is listed and call again.";
  if (error.code === "NOT_RUNNING") return "Ask the person you work for to start Cazi, then call again.";
  if (error.code === "TASK_NOT_FOUND") return "Check the id; list_tasks shows the tasks there are.";
  if (error.code === "TASK_ENDED") return "Nothing is left to do; get_task shows how it ended.";
  return "Do not repeat the call unchanged.";
}
