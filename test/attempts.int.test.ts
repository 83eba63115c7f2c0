/** What becomes of attempts: tried again, given back, lost or timed out, at limits of a second or two. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attemptsOf } from "../services/domain/task/attempts.ts";
import { isPlaced } from "../services/domain/task/taskState.ts";
import type { TaskKey } from "../services/kernel/ledger/taskLedger.ts";
import { type ScriptedNode, scriptedNode } from "./support/scriptedNode.ts";
import { type TasksOnNats, tasksOnNats } from "./support/tasksOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

const server = withNats();
let tasks: TasksOnNats;
let node: ScriptedNode;

beforeAll(async () => {
  const env = {
    CAZI_NODE_RUNTIME: "noop",
    CAZI_NODE_SLOTS: "64",
    CAZI_CLAIM_LIMIT_SECONDS: "2",
    CAZI_START_LIMIT_SECONDS: "1",
    CAZI_STOP_GRACE_SECONDS: "1",
    CAZI_DUE_MARGIN_SECONDS: "1",
    CAZI_NODE_OFFLINE_SECONDS: "2",
    CAZI_NODE_LOST_GRACE_SECONDS: "1",
  };
  tasks = await tasksOnNats(server, { env, instance: "attempts" });
  node = await scriptedNode(tasks.ground.nats, "scripted", "scripted");
});
afterAll(() => tasks.stop());

const scripted = { tags: ["scripted"], command: ["true"], timeout_seconds: 1 };
const types = (history: readonly { readonly body: { readonly type: string } }[]) =>
  history.map(({ body }) => body.type);

/** Attempts that ran: on a busy machine one may not start within a second, which costs nothing. */
const ran = (history: Parameters<typeof attemptsOf>[0]) =>
  attemptsOf(history).filter((one) => one.started_at !== null);

/** The attempt under way, as its node names it. */
async function offered(key: TaskKey) {
  const state = await tasks.until(key, "scheduled");
  if (!isPlaced(state)) throw new Error(`the task is ${state.status}`);
  return { ...key, attempt: state.attempt, fence: state.fence };
}

describe("an attempt that fails", () => {
  it.concurrent("is tried again until it succeeds, never before its time, each attempt apart", async () => {
    const key = await tasks.submit({ command: ["fail", "2"], max_retries: 2 });
    const { state, history } = await tasks.ended(key);
    expect(state).toMatchObject({ status: "succeeded", retries_used: 2, exit_code: 0 });
    expect(ran(history).map(({ ended_by, exit_code }) => [ended_by, exit_code])).toEqual([
      ["retrying", 1],
      ["retrying", 1],
      ["succeeded", 0],
    ]);
    for (const [index, { body }] of history.entries()) {
      if (body.type !== "retrying") continue;
      const next = history.slice(index).find((event) => event.body.type === "scheduled");
      expect(next!.at).toBeGreaterThanOrEqual(body.not_before);
    }
  });

  it.concurrent("ends the task when its retries are used up, by an exit code or by its timeout", async () => {
    const exits = await tasks.submit({ command: ["exit", "3"], max_retries: 1 });
    const late = await tasks.submit({ command: ["sleep", "60"], timeout_seconds: 1, max_retries: 1 });
    for (const [key, reason] of [
      [exits, "exit"],
      [late, "timeout"],
    ] as const) {
      const { state, history } = await tasks.ended(key);
      expect(state).toMatchObject({ status: "failed", reason, retries_used: 1 });
      expect(ran(history).map((one) => one.reason)).toEqual([reason, reason]);
    }
  });

  it.concurrent("is not tried again once the task is cancelled, be it while the next one waits", async () => {
    const key = await tasks.submit({ command: ["exit", "3"], max_retries: 20 });
    await waitFor("it to wait for its next attempt", async () => {
      const state = await tasks.state(key);
      return state.status === "pending" && state.retries_used === 1;
    });
    expect(await tasks.cancel(key)).toBeNull();
    const { state, history } = await tasks.ended(key);
    expect(state).toMatchObject({ status: "cancelled", retries_used: 1 });
    expect(types(history).slice(-2)).toEqual(["retrying", "cancelled"]);
  });

  it.concurrent("is refused to the node that asks for it after its task was cancelled", async () => {
    const key = await tasks.submit(scripted);
    const offer = await offered(key);
    expect(await tasks.cancel(key)).toBeNull();
    expect(await node.grant(offer)).toMatchObject({ answer: "no" });
    expect(types((await tasks.ended(key)).history)).toEqual(["submitted", "scheduled", "cancelled"]);
  });

  it.concurrent("is not begun for a task that is cancelled while no node fits", async () => {
    const key = await tasks.submit({ command: ["true"], tags: ["no-such"] });
    expect(await tasks.cancel(key)).toBeNull();
    expect(types((await tasks.ended(key)).history)).toEqual(["submitted", "cancelled"]);
  });
});

describe("time", () => {
  it("takes back an offer that no node takes, asks a node that starts nothing, and gives up on a silent one", async () => {
    const submit = (more: object = {}) => tasks.submit({ ...scripted, ...more });
    const [untaken, unstarted, again, overdue, stopped] = await Promise.all([
      submit(),
      submit(),
      submit({ max_retries: 1 }),
      submit(),
      submit(),
    ]);
    const granted = await Promise.all([unstarted, again, overdue, stopped].map(offered));
    for (const one of granted) expect(await node.grant(one)).toMatchObject({ answer: "yes" });
    for (const one of granted.slice(2)) await node.report(one, { started_at: Date.now() });
    await tasks.until(stopped!, "running");
    expect(await tasks.cancel(stopped!)).toBeNull();
    const returned = await waitFor("the offer to come back", async () =>
      (await tasks.history(untaken!)).find(({ body }) => body.type === "returned"),
    );
    expect(returned.body).toMatchObject({ reason: "offer_expired" });
    // Past the start limit and the margin, the node lives: it is only asked, again and again.
    const { due_at } = await tasks.state(unstarted!);
    await waitFor("the start limit to pass", () => Date.now() > due_at! + 500);
    const { desired } = await node.beat();
    expect(desired.find((one) => one.task === unstarted!.task)).toMatchObject({ cancel: false });
    expect(desired.find((one) => one.task === stopped!.task)).toMatchObject({ cancel: true });
    expect(await tasks.state(unstarted!)).toMatchObject({ status: "claimed" });
    node.fallSilent();
    expect((await tasks.ended(unstarted!)).state).toMatchObject({ status: "failed", reason: "node_lost" });
    expect((await tasks.ended(overdue!)).state).toMatchObject({ reason: "timeout_unconfirmed" });
    expect((await tasks.ended(stopped!)).state).toMatchObject({ status: "cancelled", exit_code: null });
    const retrying = await waitFor("another attempt to be allowed", async () =>
      (await tasks.history(again!)).find(({ body }) => body.type === "retrying"),
    );
    expect(retrying.body).toMatchObject({ reason: "node_lost", uses_retry: true });
    // What the node says after that moves nothing.
    const late = granted[2]!;
    const before = types(await tasks.history(overdue!));
    await node.report(late, { started_at: 1, ended: { ...exited, exit_code: 0 } });
    const marker = await tasks.submit({ command: ["true"] });
    await tasks.ended(marker);
    expect(types(await tasks.history(overdue!))).toEqual(before);
    for (const key of [untaken!, again!]) expect(await tasks.cancel(key)).toBeNull();
  });
});

const exited = {
  signal: null,
  oom_killed: false,
  stopped_by: null,
  failure: null,
  finished_at: 2,
  message: null,
} as const;
