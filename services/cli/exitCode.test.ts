import { describe, expect, it } from "vitest";
import { Rejection, Retryable } from "../kernel/errors.ts";
import { errorExitCode, taskExitCode } from "./exitCode.ts";

type Ended = Parameters<typeof taskExitCode>[0];
const failed = (reason: string | null, rest: Partial<Ended> = {}): Ended => ({
  status: "failed",
  reason,
  exit_code: null,
  signal: null,
  ...rest,
});
const rejected = (status: number, code = "ANY") => new Rejection(code, "no", { fields: { status } });

describe("taskExitCode", () => {
  it.each<[number, string, Ended]>([
    [0, "success", { status: "succeeded", reason: null, exit_code: 0, signal: null }],
    [7, "the task's own code", failed("exit", { exit_code: 7 })],
    [255, "its highest own code", failed("exit", { exit_code: 255 })],
    [124, "a timeout, though SIGKILL ended the process", failed("timeout", { exit_code: 137, signal: 9 })],
    [124, "a timeout that no node confirmed", failed("timeout_unconfirmed")],
    [143, "SIGTERM from inside", failed("signal", { signal: 15 })],
    [139, "a segmentation fault", failed("signal", { exit_code: 139, signal: 11 })],
    [137, "the memory limit, known by signal", failed("oom", { signal: 9 })],
    [137, "the memory limit, known by exit code", failed("oom", { exit_code: 137 })],
    [125, "an end with no code", failed("exit")],
    [125, "the memory limit with a code that says success", failed("oom", { exit_code: 0 })],
    [130, "a cancelled task", { status: "cancelled", reason: "cancelled", exit_code: 143, signal: 15 }],
    [125, "a blocked task", { status: "blocked", reason: "blocked", exit_code: null, signal: null }],
    [125, "an image that cannot be pulled", failed("image_pull")],
    [125, "an image that is gone", failed("image_unavailable")],
    [125, "a command that the runtime refuses", failed("runtime_refused", { exit_code: 127 })],
    [125, "a failure of the runtime", failed("runtime_error")],
    [125, "a lost node", failed("node_lost")],
    [125, "a lost container", failed("container_lost")],
    [125, "a start deadline", failed("start_deadline")],
    [125, "a reason this version does not know", failed("something_new", { exit_code: 3 })],
    [125, "a task that is not over", { status: "running", reason: null, exit_code: null, signal: null }],
  ])("is %d for %s", (code, _what, ended) => {
    expect(taskExitCode(ended)).toBe(code);
  });
});

describe("errorExitCode", () => {
  it.each<[number, string, unknown]>([
    [1, "what is not ours", new Error("x")],
    [1, "a server that is not there", new Retryable("API_UNREACHABLE", "no answer")],
    [1, "a bug of the server", rejected(500)],
    [2, "a setting that is wrong", new Rejection("CONFIG_INVALID", "no")],
    [2, "a spec that is refused", rejected(422, "SPEC_INVALID")],
    [2, "a spec that is too large", rejected(413, "SPEC_TOO_LARGE")],
    [3, "a task that is not there", rejected(404)],
    [3, "a task that was erased", rejected(410, "TASK_ERASED")],
    [4, "a wrong token", rejected(401)],
    [4, "a right that is missing", rejected(403)],
    [5, "a task that is over", rejected(409, "TASK_ENDED")],
    [5, "a key used for something else", rejected(422, "IDEMPOTENCY_KEY_REUSED")],
    [5, "a home in use", new Rejection("HOME_IN_USE", "no")],
    [6, "an acknowledgement that did not come", rejected(503, "ACK_UNKNOWN")],
    [6, "a limit of waiting", new Retryable("TIMED_OUT", "late")],
  ])("is %d for %s", (code, _what, error) => {
    expect(errorExitCode(error, false)).toBe(code);
    expect(errorExitCode(error, true)).toBe(125);
  });
});
