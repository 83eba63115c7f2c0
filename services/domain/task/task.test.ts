import { describe, expect, it } from "vitest";
import { retryDelayMs } from "./afterAttempt.ts";
import { PULL_NOTICES_MAX } from "./decideReport.ts";
import { evolve } from "./evolve.ts";
import { ada, GivenTask, policy, START, submit } from "./givenTask.ts";
import { startWindowMs } from "./startDeadline.ts";
import type { PlacedTask } from "./taskState.ts";

const cancel = { kind: "cancel", who: ada, reason: "enough" } as const;

describe("a task's way to success", () => {
  it("goes from submitted to succeeded, one event a transition", () => {
    const task = new GivenTask();
    expect(task.when(submit())).toEqual(["submitted"]);
    expect(task.when({ kind: "schedule", node: "n1" })).toEqual(["scheduled"]);
    expect(task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: 1 })).toEqual(["claimed"]);
    expect(task.when(task.report({ started_at: 5 }))).toEqual(["running"]);
    expect(task.when(task.exit())).toEqual(["succeeded"]);
    expect(task.state).toMatchObject({
      status: "succeeded",
      exit_code: 0,
      attempt: 1,
      node: "n1",
      reason: null,
    });
  });

  it("adds the missing running when the first report already holds the end", () => {
    const task = new GivenTask().claimed();
    expect(task.when(task.exit())).toEqual(["running", "succeeded"]);
  });

  it("has nothing to add when a report comes twice, or an older one late", () => {
    const task = new GivenTask().running();
    expect(task.when(task.report({ started_at: 5 }))).toEqual([]);
    expect(task.when(task.exit())).toEqual(["succeeded"]);
    expect(task.when(task.exit())).toEqual([]);
    expect(task.when(task.report({ started_at: 5 }))).toEqual([]);
  });

  it("gives the same node the same yes when it asks for the grant again", () => {
    const task = new GivenTask().claimed();
    expect(task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: 1 })).toEqual([]);
  });
});

describe("how an attempt ended", () => {
  it.each([
    ["a non-zero exit", { exit_code: 7 }, { status: "failed", reason: "exit", exit_code: 7 }],
    ["a signal", { exit_code: 137, signal: 9 }, { status: "failed", reason: "signal", signal: 9 }],
    [
      "the kernel's memory limit",
      { exit_code: 137, signal: 9, oom_killed: true },
      { status: "failed", reason: "oom" },
    ],
    [
      "its timeout",
      { exit_code: 143, signal: 15, stopped_by: "timeout" },
      { status: "failed", reason: "timeout" },
    ],
    [
      "a container that is gone",
      { exit_code: null, failure: "container_lost" },
      { status: "failed", reason: "container_lost" },
    ],
    [
      "a node that killed it when cut off",
      { exit_code: 137, stopped_by: "disconnect" },
      { status: "failed", reason: "node_lost" },
    ],
  ] as const)("is told apart: %s", (_what, ended, expected) => {
    const task = new GivenTask().running();
    task.when(task.exit(ended));
    expect(task.state).toMatchObject(expected);
  });

  it("is an image problem when nothing ever ran", () => {
    const task = new GivenTask().claimed();
    expect(task.when(task.unstarted("image_pull", "denied", { final: true }))).toEqual(["failed"]);
    expect(task.state).toMatchObject({ reason: "image_pull", message: "denied", exit_code: null });
  });
});

describe("the pull of an image", () => {
  const image = { ref: "alpine:3.20", repo_digest: "alpine@sha256:1", image_id: "sha256:2" };

  it("is in the record with its progress: start, a failed try, bytes, the end", () => {
    const task = new GivenTask().claimed();
    expect(task.when(task.pulling(1))).toEqual(["pulling"]);
    expect(task.state).toMatchObject({ status: "claimed", pull: { tries: 1, bytes_done: 0 } });
    const failed = { last_error: "toomanyrequests", retry_at: START + 20_000 };
    expect(task.when(task.pulling(2, failed))).toEqual(["pulling"]);
    expect(task.when(task.pulling(3, { tries: 2, bytes_done: 12, bytes_total: 30 }))).toEqual(["pulling"]);
    expect(task.state).toMatchObject({ pull: { tries: 2, bytes_done: 12, bytes_total: 30, retry_at: null } });
    expect(task.when(task.exit())).toEqual(["running", "succeeded"]);
    expect(task.state).toMatchObject({ status: "succeeded", pull: { tries: 2 } });
  });

  it("is told by one report with all that came after it", () => {
    const task = new GivenTask().claimed();
    const wish = task.pulling(4, { finished_at: START + 6_000 });
    if (wish.kind === "report") Object.assign(wish.report, { image, started_at: START + 7_000 });
    expect(task.when(wish)).toEqual(["pulling", "running"]);
    expect(task.state).toMatchObject({ image, pull: { finished_at: START + 6_000 } });
  });

  it("adds nothing when its report comes again, or an older one late", () => {
    const task = new GivenTask().claimed();
    task.when(task.pulling(2));
    expect(task.when(task.pulling(2))).toEqual([]);
    expect(task.when(task.pulling(1))).toEqual([]);
    task.when(task.report({ started_at: START + 7_000 }));
    expect(task.when(task.pulling(3))).toEqual([]);
  });

  it("writes a bounded number of events, whatever a node sends", () => {
    const task = new GivenTask().claimed();
    for (let notice = 1; notice <= 1_000; notice++)
      task.when(task.pulling(notice, { bytes_done: notice }), 1);
    expect(task.events.filter((body) => body.type === "pulling")).toHaveLength(PULL_NOTICES_MAX);
  });

  it("leaves the image it brought to the next attempt, even when the node is lost before the start", () => {
    const task = new GivenTask().claimed({ max_retries: 1 });
    const wish = task.pulling(2, { finished_at: START + 6_000 });
    if (wish.kind === "report") Object.assign(wish.report, { image });
    task.when(wish);
    expect(task.when({ kind: "lose", fence: task.fence, jitter: 0 })).toEqual(["retrying"]);
    expect(task.when({ kind: "schedule", node: "n2" }, 600_000)).toEqual(["scheduled"]);
    expect(task.state).toMatchObject({ image, pull: null });
  });

  it("uses no retry when it fails, and an attempt that fails after it keeps the resolved image", () => {
    const task = new GivenTask().claimed({ max_retries: 1 });
    task.when(task.unstarted("image_pull", "no registry"));
    expect(task.state).toMatchObject({ status: "pending", retries_used: 0, unstarted: 1, image: null });
    task.when({ kind: "schedule", node: "n1" }, 600_000);
    task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: 2 });
    task.when(task.unstarted("start_limit", "the engine went away", { image }));
    expect(task.state).toMatchObject({ status: "pending", retries_used: 0, image });
  });
});

describe("a pull that failed", () => {
  it("is not tried again when the registry denies the image or has none of that name", () => {
    const task = new GivenTask().claimed({ max_retries: 3 });
    expect(task.when(task.unstarted("image_pull", "denied", { final: true }))).toEqual(["failed"]);
    expect(task.state).toMatchObject({ reason: "image_pull", message: "denied" });
  });

  it("is not tried again before the time that the registry asked for", () => {
    const task = new GivenTask().claimed({ max_retries: 1 });
    task.when(task.unstarted("image_pull", "429", { retry_after_ms: 90_000 }));
    expect(task.state).toMatchObject({ status: "pending", not_before: task.at + 90_000 });
  });
});

describe("the trace of a task", () => {
  it("is the one it was submitted in, in every state after", () => {
    const traced = {
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      tracestate: "a=b",
    };
    const task = new GivenTask();
    task.when({ ...submit(), ...traced } as never);
    expect(task.state).toMatchObject(traced);
    task.when({ kind: "schedule", node: "n1" });
    task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: 1 });
    task.when(task.exit());
    expect(task.state).toMatchObject({ status: "succeeded", ...traced });
  });
});

describe("retries", () => {
  it("are used by a started attempt until they are used up", () => {
    const task = new GivenTask().running({ max_retries: 1 });
    expect(task.when(task.exit({ exit_code: 7 }))).toEqual(["retrying"]);
    expect(task.state).toMatchObject({
      status: "pending",
      retries_used: 1,
      reason: "exit",
      exit_code: 7,
      node: null,
    });
    expect(task.when({ kind: "schedule", node: "n2" })).toEqual(["scheduled"]);
    expect(task.attempt).toBe(2);
    task.when({ kind: "grant", node: "n2", fence: task.fence, attempt: 2 });
    const wish = task.exit({ exit_code: 8 });
    if (wish.kind === "report") wish.report.node = "n2";
    expect(task.when(wish)).toEqual(["running", "failed"]);
  });

  it.each(["start_limit", "image_pull"] as const)(
    "are not used by %s, nor asked for it; it is bounded too",
    (reason) => {
      const task = new GivenTask().claimed({ max_retries: 0 });
      const notStarted = () => task.unstarted(reason, "too slow");
      for (let i = 0; i < 3; i++) {
        expect(task.when(notStarted())).toEqual(["retrying"]);
        task.when({ kind: "schedule", node: "n1" }, 600_000);
        task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: task.attempt });
      }
      expect(task.when(notStarted())).toEqual(["failed"]);
      expect(task.state).toMatchObject({ retries_used: 0, unstarted: 3, reason });
    },
  );

  it("wait longer each time, and after a pull longer from the first", () => {
    expect([0, 1, 2, 8, 20].map((tries) => retryDelayMs(tries, 1))).toEqual([
      1_000, 2_000, 4_000, 256_000, 300_000,
    ]);
    expect(retryDelayMs(2, 0)).toBe(2_000);
    const task = new GivenTask().claimed();
    task.when(task.unstarted("image_pull", "no route"));
    expect(task.state).toMatchObject({ not_before: task.at + 11_250 });
  });

  it.each([
    ["an exit code", { exit_code: 3 }],
    ["a signal", { exit_code: 139, signal: 11 }],
    ["the memory limit", { exit_code: 137, signal: 9, oom_killed: true }],
    ["the timeout", { exit_code: 143, signal: 15, stopped_by: "timeout" }],
    ["a lost container", { exit_code: null, failure: "container_lost" }],
    ["a node that was cut off", { exit_code: 137, signal: 9, stopped_by: "disconnect" }],
  ] as const)("help against %s", (_what, ended) => {
    const task = new GivenTask().running({ max_retries: 1 });
    expect(task.when(task.exit(ended))).toEqual(["retrying"]);
    expect(task.state).toMatchObject({ status: "pending", retries_used: 1 });
  });

  it("end with a cancel while one waits, and then nothing is tried again", () => {
    const task = new GivenTask().running({ max_retries: 3 });
    task.when(task.exit({ exit_code: 7 }));
    expect(task.when(cancel)).toEqual(["cancelled"]);
    expect(task.when({ kind: "schedule", node: "n1" }, 600_000)).toBe("TASK_NOT_PENDING");
    expect(task.when(task.exit({ exit_code: 7 }))).toBe("STALE_FENCE");
  });

  it("do not begin before their time", () => {
    const task = new GivenTask().running({ max_retries: 1 });
    task.when(task.exit({ exit_code: 7 }));
    expect(task.when({ kind: "schedule", node: "n1" }, 1)).toBe("TASK_NOT_PENDING");
  });

  it.each(["image_unavailable", "runtime_refused"] as const)("do not help against %s", (reason) => {
    const task = new GivenTask().claimed({ max_retries: 5 });
    expect(task.when(task.unstarted(reason, "no"))).toEqual(["failed"]);
  });
});

describe("cancel", () => {
  it.each(["pending", "scheduled"])("ends a task that is %s at once", (status) => {
    const task = new GivenTask();
    if (status === "pending") task.when(submit());
    else task.scheduled();
    expect(task.when(cancel)).toEqual(["cancelled"]);
    expect(task.state).toMatchObject({ status: "cancelled", cancel: { who: ada, reason: "enough" } });
  });

  it.each(["claimed", "running"] as const)("asks the node to stop a task that is %s", (status) => {
    const task = new GivenTask()[status]();
    expect(task.when(cancel)).toEqual(["cancel_requested"]);
    expect(task.when(cancel)).toEqual([]);
    expect(task.when(task.exit({ exit_code: 143, signal: 15, stopped_by: "cancel" })).at(-1)).toBe(
      "cancelled",
    );
  });

  it("leaves an exit that came before our first signal its true outcome, and tries nothing again", () => {
    const lucky = new GivenTask().running();
    lucky.when(cancel);
    expect(lucky.when(lucky.exit())).toEqual(["succeeded"]);
    const failed = new GivenTask().running({ max_retries: 3 });
    failed.when(cancel);
    expect(failed.when(failed.exit({ exit_code: 7 }))).toEqual(["failed"]);
  });

  it("refuses a grant that comes after it", () => {
    const task = new GivenTask().claimed();
    task.when(cancel);
    expect(task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: 1 })).toBe("TASK_ENDED");
  });

  it("is done when it was done, and refused when the task ended otherwise", () => {
    const done = new GivenTask().scheduled();
    done.when(cancel);
    expect(done.when(cancel)).toEqual([]);
    const over = new GivenTask().running();
    over.when(over.exit());
    expect(over.when(cancel)).toBe("TASK_ENDED");
  });

  it("ends the task when the node that should stop it is lost", () => {
    const task = new GivenTask().running({ max_retries: 3 });
    task.when(cancel);
    expect(task.when({ kind: "due", nodeLost: true, jitter: 0 }, 10)).toEqual([]);
    expect(task.when({ kind: "due", nodeLost: true, jitter: 0 }, 40_000)).toEqual(["cancelled"]);
  });
});

describe("what time brings", () => {
  it("takes an offer back that nobody took, and a decline costs nothing", () => {
    const task = new GivenTask().scheduled();
    expect(task.when({ kind: "due", nodeLost: false, jitter: 0 }, 1_000)).toEqual([]);
    expect(task.when({ kind: "due", nodeLost: false, jitter: 0 }, 30_000)).toEqual(["returned"]);
    task.when({ kind: "schedule", node: "n2" });
    expect(task.when({ kind: "decline", node: "n2", fence: task.fence, message: "full" })).toEqual([
      "returned",
    ]);
    expect(task.state).toMatchObject({ status: "pending", attempt: 2, retries_used: 0, unstarted: 0 });
  });

  it("gives up a task that nobody started in time", () => {
    const task = new GivenTask();
    task.when(submit({ start_within_ms: 5_000 }));
    expect(task.when({ kind: "due", nodeLost: false, jitter: 0 }, 4_000)).toEqual([]);
    expect(task.when({ kind: "due", nodeLost: false, jitter: 0 }, 1_000)).toEqual(["failed"]);
    expect(task.state).toMatchObject({ reason: "start_deadline" });
  });

  it("gives up one whose offer came back, at the time that its submit set", () => {
    const task = new GivenTask().scheduled({ start_within_ms: 60_000 });
    task.when({ kind: "decline", node: "n1", fence: task.fence, message: "full" });
    expect(task.state).toMatchObject({ status: "pending", due_at: START + 61_000 });
    expect(task.when({ kind: "due", nodeLost: false, jitter: 0 }, 57_000)).toEqual([]);
    expect(task.when({ kind: "due", nodeLost: false, jitter: 0 })).toEqual(["failed"]);
    expect(task.state).toMatchObject({ reason: "start_deadline", attempt: 1 });
  });

  it("gives up one that never started as soon as its next try would be too late, and not one that did", () => {
    const tried = new GivenTask().claimed({ start_within_ms: 30_000, max_retries: 1 });
    const late = { retry_after_ms: 120_000 };
    expect(tried.when(tried.unstarted("image_pull", "429", late))).toEqual(["failed"]);
    expect(tried.state).toMatchObject({ reason: "start_deadline", message: "429" });
    const soon = new GivenTask().claimed({ start_within_ms: 300_000 });
    expect(soon.when(soon.unstarted("image_pull", "429", late))).toEqual(["retrying"]);
    const ran = new GivenTask().running({ start_within_ms: 6_000, max_retries: 1 });
    expect(ran.when(ran.exit({ exit_code: 1 }))).toEqual(["retrying"]);
    expect(ran.when({ kind: "due", nodeLost: false, jitter: 0 }, 90_000)).toEqual([]);
  });

  it("leaves a granted attempt until its container has to start what its start deadline leaves", () => {
    const state = new GivenTask().claimed({ start_within_ms: 30_000 }).state as PlacedTask;
    const at = state.submitted_at + 10_000;
    expect([startWindowMs(state, at, 600_000), startWindowMs(state, at, 5_000)]).toEqual([20_000, 5_000]);
    expect(startWindowMs(state, at + 60_000, 600_000)).toBe(0);
    expect(startWindowMs({ ...state, retries_used: 1 }, at + 60_000, 600_000)).toBe(600_000);
  });

  it("loses what a silent node was granted, and runs it again only where retries allow", () => {
    const once = new GivenTask().running();
    expect(once.when({ kind: "lose", fence: once.fence, jitter: 0 })).toEqual(["failed"]);
    expect(once.state).toMatchObject({ reason: "node_lost" });
    const again = new GivenTask().claimed({ max_retries: 1 });
    expect(again.when({ kind: "lose", fence: again.fence, jitter: 0 })).toEqual(["retrying"]);
    const offered = new GivenTask().scheduled();
    expect(offered.when({ kind: "lose", fence: offered.fence, jitter: 0 })).toEqual(["returned"]);
  });

  it("calls a timeout unconfirmed when the node cannot say", () => {
    const task = new GivenTask().running();
    const afterAll = 60_000 + policy.stopGraceMs + policy.dueMarginMs;
    expect(task.when({ kind: "due", nodeLost: false, jitter: 0 }, afterAll)).toEqual([]);
    expect(task.when({ kind: "due", nodeLost: true, jitter: 0 }, 1)).toEqual(["failed"]);
    expect(task.state).toMatchObject({ reason: "timeout_unconfirmed" });
  });
});

describe("fences", () => {
  it("keep out a grant, a report and a loss of another attempt", () => {
    const task = new GivenTask().scheduled();
    const stale = task.fence;
    task.when({ kind: "decline", node: "n1", fence: stale, message: "full" });
    task.when({ kind: "schedule", node: "n1" });
    expect(task.when({ kind: "grant", node: "n1", fence: stale, attempt: 1 })).toBe("STALE_FENCE");
    task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: 2 });
    const late = task.exit();
    if (late.kind === "report") Object.assign(late.report, { fence: stale, attempt: 1 });
    expect(task.when(late)).toBe("STALE_FENCE");
    expect(task.when({ kind: "lose", fence: stale, jitter: 0 })).toBe("STALE_FENCE");
  });

  it("ask to read again when the command knows of a newer attempt than the state", () => {
    const task = new GivenTask().scheduled();
    expect(task.when({ kind: "grant", node: "n1", fence: "2.x", attempt: 2 })).toBe("STATE_BEHIND");
  });

  it("keep out a report of an attempt that was never granted", () => {
    const task = new GivenTask().scheduled();
    expect(task.when(task.exit())).toBe("STALE_FENCE");
  });
});

describe("the end", () => {
  it("blocks a spec that a learning forbids, once and for all", () => {
    const task = new GivenTask();
    expect(task.when({ ...submit(), blocked: { by: "learning:1", message: "no shell" } } as never)).toEqual([
      "blocked",
    ]);
    expect(task.state).toMatchObject({ status: "blocked", reason: "blocked", message: "no shell" });
    expect(task.when({ kind: "schedule", node: "n1" })).toBe("TASK_NOT_PENDING");
  });

  it("takes sink results without moving, and erasure leaves only a tombstone", () => {
    const task = new GivenTask().running();
    expect(task.when({ kind: "erase" })).toBe("TASK_NOT_ENDED");
    task.when(task.exit());
    const before = task.state;
    expect(task.when({ kind: "sink_delivered", sink: "s", receipt: null })).toEqual(["sink_delivered"]);
    expect(task.state).toEqual({ ...before, settled_sinks: ["s"] });
    expect(task.when({ kind: "sink_failed", sink: "s", tries: 3, message: "late" })).toEqual([]);
    const resent = { kind: "sink_delivered", sink: "s", receipt: "HTTP 200", resent: true } as const;
    expect(task.when(resent)).toEqual(["sink_delivered"]);
    expect(task.state).toEqual({ ...before, settled_sinks: ["s"] });
    expect(task.when({ kind: "erase" })).toEqual(["erased"]);
    expect(task.when(submit())).toBe("TASK_ERASED");
    expect(task.when(cancel)).toBe("TASK_ERASED");
  });

  it("is not erased while its output has yet to go to a sink", () => {
    const task = new GivenTask().running({ sinks: 1 });
    task.when(task.exit());
    expect(task.when({ kind: "erase" })).toBe("SINKS_NOT_SETTLED");
    task.when({ kind: "sink_failed", sink: "s", tries: 3, message: "away" });
    expect(task.when({ kind: "erase" })).toEqual(["erased"]);
  });

  it("is erased with open sinks by who gives them up, and where it was blocked, for then none fires", () => {
    const task = new GivenTask().running({ sinks: 1 });
    expect(task.when({ kind: "erase", giveUpSinks: true })).toBe("TASK_NOT_ENDED");
    task.when(task.exit());
    expect(task.when({ kind: "erase", giveUpSinks: true })).toEqual(["erased"]);
    const blocked = new GivenTask();
    blocked.when({ ...submit({ sinks: 1 }), blocked: { by: "learning:1", message: "no shell" } } as never);
    expect(blocked.when({ kind: "erase" })).toEqual(["erased"]);
  });

  it("refuses a second task of the same id", () => {
    const task = new GivenTask();
    task.when(submit());
    expect(task.when(submit())).toBe("TASK_EXISTS");
  });

  it("is loud about a history that cannot be", () => {
    const task = new GivenTask().running();
    task.when(task.exit());
    expect(() => evolve(task.state, { type: "claimed", fence: "1.x", due_at: 1 }, 1)).toThrow(
      "succeeded cannot be claimed",
    );
  });
});
