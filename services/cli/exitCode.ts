/** What the command line exits with: an interface that scripts stand on. Pure. */
import type { Task } from "../../schemas/api/task.ts";
import { CaziError } from "../kernel/errors.ts";

export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  conflict: 5,
  timedOut: 6,
  /** `run` and `wait`: the task ran longer than its timeout. */
  taskTimeout: 124,
  /** `run` and `wait`: the task never ran, or its end is not known, or Cazi itself failed. */
  taskUnknown: 125,
  /** `run` and `wait`: the task was cancelled. */
  cancelled: 130,
} as const;

type Ended = Pick<Task, "status" | "reason" | "exit_code" | "signal">;

/** The exit code that stands for a task's end: its own where it has one. */
export function taskExitCode(task: Ended): number {
  switch (task.status) {
    case "succeeded":
      return task.exit_code ?? exitCodes.ok;
    case "cancelled":
      return exitCodes.cancelled;
    case "failed":
      return failedExitCode(task);
    case "blocked":
    case "pending":
    case "scheduled":
    case "claimed":
    case "running":
      return exitCodes.taskUnknown;
  }
}

function failedExitCode(task: Ended): number {
  switch (task.reason) {
    case "timeout":
    case "timeout_unconfirmed":
      return exitCodes.taskTimeout;
    case "exit":
    case "signal":
    case "oom":
      if (task.signal !== null) return 128 + task.signal;
      return task.exit_code === null || task.exit_code === 0 ? exitCodes.taskUnknown : task.exit_code;
    default:
      return exitCodes.taskUnknown;
  }
}

const byStatus: Readonly<Record<number, number>> = {
  400: exitCodes.usage,
  401: exitCodes.denied,
  403: exitCodes.denied,
  404: exitCodes.notFound,
  408: exitCodes.timedOut,
  409: exitCodes.conflict,
  410: exitCodes.notFound,
  412: exitCodes.conflict,
  413: exitCodes.usage,
  415: exitCodes.usage,
  422: exitCodes.usage,
  504: exitCodes.timedOut,
};

const byCode: Readonly<Record<string, number>> = {
  CONFIG_INVALID: exitCodes.usage,
  USAGE: exitCodes.usage,
  HOME_IN_USE: exitCodes.conflict,
  PORT_TAKEN: exitCodes.conflict,
  IDEMPOTENCY_KEY_REUSED: exitCodes.conflict,
  TOKEN_MISSING: exitCodes.denied,
  TIMED_OUT: exitCodes.timedOut,
  ACK_UNKNOWN: exitCodes.timedOut,
};

/**
 * The exit code of a failure.
 * @param givesTaskCode true for `run` and `wait`, whose low numbers belong to the task
 */
export function errorExitCode(error: unknown, givesTaskCode: boolean): number {
  if (givesTaskCode) return exitCodes.taskUnknown;
  if (!(error instanceof CaziError)) return exitCodes.failure;
  const { status } = error.fields;
  return (
    byCode[error.code] ?? (typeof status === "number" ? byStatus[status] : undefined) ?? exitCodes.failure
  );
}
