/** What can stand against a request about a task. */
import type { ProblemList } from "./problemEntry.ts";

export const taskProblems = {
  TASK_NOT_FOUND: {
    status: 404,
    means: "There is no task of this id that the caller may know of.",
    todo: "Look at the id: 26 lower-case letters and digits, as the submit answered it. `cazi list` shows the tasks.",
  },
  TASK_ERASED: {
    status: 410,
    means:
      "The task has been erased, after its `ttl_seconds` or because somebody asked; only that it was is kept.",
    todo: "Nothing brings it back. A new task needs a new Idempotency-Key.",
  },
  PROCESS_NOT_GRANTED: {
    status: 403,
    means: "A command was asked for by a task whose spec is not a script with `process_image`.",
    todo: "Name the tool `process` and a `process_image` in the spec's `script`.",
  },
  PROCESS_TASK_NOT_OFFERED: {
    status: 422,
    means:
      "The spec's script has its commands run as tasks, and nodes cannot ask this control plane for them.",
    todo: "Leave `script.process_image` out and use a node's own commands; or, for operators, set CAZI_ARTIFACT_LISTEN.",
  },
  PROCESS_NOT_READY: {
    status: 503,
    means: "The control plane has just started, and takes no commands of scripts yet.",
    todo: "Nothing: the script's node asks again.",
  },
  MODEL_NOT_OFFERED: {
    status: 422,
    means: "The spec's program calls a model (`model.call`), and this control plane asks none for scripts.",
    todo: "Leave `model.call` out, or give a project a `model_fixture`; for operators: set CAZI_MODEL_KEY and CAZI_ARTIFACT_LISTEN.",
  },
  MODEL_NOT_GRANTED: {
    status: 403,
    means: "A model was asked by a task whose spec does not name the tool `model.call`.",
    todo: "Name `model.call` among the tools of the spec's script, or of the project's policy.",
  },
  MODEL_NOT_READY: {
    status: 503,
    means: "The control plane has just started, and asks no model for scripts yet.",
    todo: "Nothing: the script's node asks again.",
  },
  MODEL_ENDPOINT_CHANGED: {
    status: 409,
    means:
      "The model's address (CAZI_MODEL_URL) is another one than when the script was started. The call was not made.",
    todo: "Run the task again. Control planes of one installation need the same CAZI_MODEL_URL.",
  },
  MODEL_CALLS_EXCEEDED: {
    status: 403,
    means: "The attempt has called a model as often as it may. The call was not made.",
    todo: "Call it less; the operator's setting is CAZI_MODEL_CALLS_MAX.",
  },
  MODEL_OUTCOME_UNKNOWN: {
    status: 409,
    means:
      "The same call of a model was begun before and its answer is not there any more, so it may have been made. It is not made again.",
    todo: "Decide in the program, which is told MODEL_CALL_UNKNOWN, or by `max_retries`, whether to call again.",
  },
  MODEL_NO_ANSWER: {
    status: 500,
    means: "The model was asked and no whole answer came in time, so nobody knows what it did.",
    todo: "See that the control plane reaches CAZI_MODEL_URL; the call is not made again by itself.",
  },
  MODEL_ANSWER_TOO_LARGE: {
    status: 500,
    means: "The model answered with more than is taken.",
    todo: "Ask for less in one call.",
  },
  SINKS_NOT_SETTLED: {
    status: 409,
    means: "A task is erased only when its output has gone to every sink, or a sink has failed for good.",
    todo: "Wait for its sinks; `cazi get ID` shows them.",
  },
  TASK_ENDED: {
    status: 409,
    means: "The task is over, so it cannot be changed any more.",
    todo: "Read the task: it says how it ended. To run it again, replay it.",
  },
  TASK_EXISTS: {
    status: 409,
    means: "There is a task of this id already.",
    todo: "Use another Idempotency-Key for another task.",
  },
  TASK_NOT_ENDED: {
    status: 409,
    means: "What was asked for is possible only when the task is over.",
    todo: "Wait for its end, with `?wait=` or `cazi wait`, then ask again.",
  },
  TASK_NOT_PENDING: {
    status: 409,
    means: "What was asked for is possible only while the task waits for a node.",
    todo: "Read the task: it says how far it is.",
  },
  STALE_FENCE: {
    status: 409,
    means: "Something was said of an attempt that is not the newest one any more.",
    todo: "Nothing: the newer attempt goes on. A node that keeps saying so has a wrong clock or an old state folder.",
  },
  STATE_BEHIND: {
    status: 503,
    means: "A report came of a newer attempt than the one the server has seen.",
    todo: "Send it again: the server catches up.",
  },
  OUTPUT_LATE: {
    status: 503,
    means:
      "The task is over, and the end of its output is not in the store: it is on its way, or the store has lost it.",
    todo: "Ask again. A sink does so by itself, and fails when the bytes never come. What is there still after minutes is all there is: `/logs` shows it.",
  },
  OUTPUT_INCOMPLETE: {
    status: 500,
    means:
      "Bytes in the middle of a task's output are missing in the store, so the output is not given as if it were whole.",
    todo: "Read `/logs`, which shows the gap. Find out which server lost messages: the log names the task.",
  },
} as const satisfies ProblemList;
