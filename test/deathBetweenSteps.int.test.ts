/**
 * Every arrow of a task's way is a stored message or an append. Here each row stores what is there when
 * everything dies right after that arrow, then starts all roles anew: the task must end once, and truly.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeRole } from "../deploy/compose/roles/node.ts";
import { reactorRole } from "../deploy/compose/roles/reactor.ts";
import type { Ground } from "../deploy/compose/roles/role.ts";
import { schedulerRole } from "../deploy/compose/roles/scheduler.ts";
import { decodeTaskEvent } from "../schemas/taskEvents.ts";
import { startTransitions } from "../services/control-plane/transitions/startTransitions.ts";
import { isRefusal } from "../services/domain/refusal.ts";
import { readSpec } from "../services/domain/spec/readSpec.ts";
import type { TaskCommand } from "../services/domain/task/taskCommand.ts";
import { terminalEventTypes } from "../services/domain/task/taskEvent.ts";
import { canonicalSpec } from "../services/kernel/canonicalSpec.ts";
import { newId } from "../services/kernel/ids.ts";
import { getNextOf } from "../services/kernel/ledger/appendEvent.ts";
import { claimsConsumer } from "../streams/consumers.ts";
import { ensureConsumer } from "../streams/ensure.ts";
import { subjects } from "../streams/subjects.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { identityOnNats } from "./support/identityOnNats.ts";
import { submitCommand } from "./support/ledgerOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

const server = withNats();
let before: Ground;

interface Died {
  readonly key: { readonly tenant: string; readonly task: string };
  fence: string;
}
type Step = (died: Died) => Promise<void>;

const execute = async (died: Died, command: Partial<TaskCommand> & { kind: TaskCommand["kind"] }) => {
  const whole = { at: Date.now(), id: randomUUID(), jitter: 0, ...command } as TaskCommand;
  const done = await before.ledger.execute(died.key, whole);
  if (isRefusal(done)) throw new Error(`${command.kind}: ${done.message}`);
  return done;
};

const spec = readSpec({ image: "cazi/toolbox:latest", command: ["exit", "7"] });
if (isRefusal(spec)) throw new Error(spec.message);
const { json } = canonicalSpec(spec.spec);

const submitted: Step = async (died) => void (await execute(died, submitCommand(json)));
const scheduled: Step = async (died) => {
  const { state } = await execute(died, { kind: "schedule", node: "local" });
  died.fence = state.status === "scheduled" ? state.fence : "";
};
const offered: Step = async (died) => {
  const claim = JSON.stringify({ ...died.key, attempt: 1, fence: died.fence });
  await before.nats.js.publish(subjects.claim({ node: "local", task: died.key.task }), claim, {
    msgID: died.fence,
  });
};
/** A node's agent had fetched and acknowledged the offer, and was gone before it asked. */
const taken: Step = async () => {
  await ensureConsumer(before.nats.jsm, claimsConsumer("local"));
  const consumer = await before.nats.js.consumers.get("CLAIMS", "local");
  const offer = await consumer.next({ expires: 5_000 });
  await offer?.ackAck();
};
const granted: Step = async (died) =>
  void (await execute(died, { kind: "grant", node: "local", fence: died.fence, attempt: 1 }));
const report = (died: Died, ended: boolean) => ({
  ...died.key,
  attempt: 1,
  fence: died.fence,
  node: "local",
  revision: ended ? 2 : 1,
  image: null,
  pull: null,
  not_started: null,
  started_at: Date.now(),
  ended: ended
    ? {
        exit_code: 7,
        signal: null,
        oom_killed: false,
        stopped_by: null,
        failure: null,
        finished_at: Date.now(),
        message: null,
      }
    : null,
  logs: { stdout: { stored: 0, dropped: 0 }, stderr: { stored: 0, dropped: 0 } },
});
const reported =
  (ended: boolean): Step =>
  async (died) => {
    await before.nats.js.publish(
      subjects.report({ node: "local", task: died.key.task }),
      JSON.stringify(report(died, ended)),
    );
  };
const recorded =
  (ended: boolean): Step =>
  async (died) =>
    void (await execute(died, { kind: "report", report: report(died, ended) }));

/** What was done when everything died, and how many attempts it may have taken in the end. */
const rows: readonly (readonly [string, readonly Step[]])[] = [
  ["the submit was stored", [submitted]],
  ["it was scheduled but not offered", [submitted, scheduled]],
  [
    "it was offered and the offer taken by an agent that died with it",
    [submitted, scheduled, offered, taken],
  ],
  ["it was offered", [submitted, scheduled, offered]],
  ["it was granted and the offer not acknowledged", [submitted, scheduled, offered, granted]],
  ["it was granted and the node forgot it", [submitted, scheduled, granted]],
  ["its start was reported and not recorded", [submitted, scheduled, granted, reported(false)]],
  [
    "its start was recorded and the report not acknowledged",
    [submitted, scheduled, granted, reported(false), recorded(false)],
  ],
  ["its end was reported and not recorded", [submitted, scheduled, offered, granted, reported(true)]],
  [
    "its end was recorded and the report not acknowledged",
    [submitted, scheduled, offered, granted, reported(true), recorded(true)],
  ],
  [
    "its end was reported twice, the older report last",
    [submitted, scheduled, granted, reported(true), reported(true), reported(false)],
  ],
];

let died: Died[] = [];
let after: Ground;
let stopAll: () => Promise<void>;

beforeAll(async () => {
  before = await groundOnNats(server);
  died = [];
  for (const [, steps] of rows) {
    const one: Died = { key: { tenant: "default", task: newId(Date.now()) }, fence: "" };
    for (const step of steps) await step(one);
    died.push(one);
  }
  await before.stop();
  // Everything anew: no memory of the process before is left but what is stored.
  after = await groundOnNats(server, { CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: "64" });
  const { claimLimitMs, startLimitMs, stopGraceMs } = after.config;
  const stopTransitions = startTransitions({
    ...after,
    ...(await identityOnNats(after)),
    epoch: after.feed.epoch,
    random: Math.random,
    claimLimitMs,
    startLimitMs,
    stopGraceMs,
  });
  const roles = [schedulerRole(after), reactorRole(after), await nodeRole(after, "test")];
  stopAll = async () => {
    await Promise.all(roles.map((role) => role.stop()));
    await stopTransitions();
    await after.stop();
  };
});
afterAll(() => stopAll());

async function historyOf(key: Died["key"]): Promise<string[]> {
  const types: string[] = [];
  const subject = subjects.ledger({ tenant: key.tenant, kind: "task", id: key.task });
  for (let seq = 1; ; ) {
    const message = await getNextOf(after.nats.jsm, "LEDGER_0", subject, seq).catch(() => null);
    if (message === null) return types;
    types.push(decodeTaskEvent(message.data).body.type);
    seq = message.seq + 1;
  }
}

describe("a task whose processes all died", () => {
  it.each(rows.map(([what], index) => [what, index] as const))(
    "after %s ends once, with its true outcome",
    async (_what, index) => {
      const { key } = died[index]!;
      const state = await waitFor("the end", async () => {
        const { state } = await after.ledger.load(key);
        return state.status === "failed" ? state : null;
      });
      expect(state).toMatchObject({ reason: "exit", exit_code: 7, attempt: 1, retries_used: 0 });
      const history = await historyOf(key);
      expect(history.filter((type) => terminalEventTypes.includes(type as never))).toEqual(["failed"]);
      expect(history).toEqual(["submitted", "scheduled", "claimed", "running", "failed"]);
    },
  );

  it("leaves no report behind, and no event after an end", async () => {
    await waitFor(
      "all reports to be acknowledged",
      async () => (await after.nats.jsm.streams.info("REPORTS")).state.messages === 0,
    );
    for (const { key } of died) expect((await historyOf(key)).at(-1)).toBe("failed");
  });
});
