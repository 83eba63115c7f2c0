/** A holder of the scheduler's lease that stood still, and wakes when another has taken over: real NATS, node and roles. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeRole } from "../deploy/compose/roles/node.ts";
import { reactorRole } from "../deploy/compose/roles/reactor.ts";
import type { Ground, RunningRole } from "../deploy/compose/roles/role.ts";
import type { TaskEvent } from "../schemas/taskEvents.ts";
import { startTransitions } from "../services/control-plane/transitions/startTransitions.ts";
import { isRefusal } from "../services/domain/refusal.ts";
import { readSpec } from "../services/domain/spec/readSpec.ts";
import { limitsOf } from "../services/domain/task/limitsOf.ts";
import { isLive } from "../services/domain/task/taskState.ts";
import { canonicalSpec } from "../services/kernel/canonicalSpec.ts";
import { newId } from "../services/kernel/ids.ts";
import type { Lease } from "../services/kernel/lease.ts";
import { schedulingIndexOf } from "../services/kernel/ledger/schedulingIndexOf.ts";
import type { TaskKey, TaskLedger } from "../services/kernel/ledger/taskLedger.ts";
import { startScheduler } from "../services/scheduler/startScheduler.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { bySubject, readLedger } from "./support/homeLedger.ts";
import { identityOnNats } from "./support/identityOnNats.ts";
import { submitCommand } from "./support/ledgerOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

const SLOTS = 2;
const server = withNats();
let first: Ground;
let second: Ground;
const roles: RunningRole[] = [];
let stopTransitions: () => Promise<void>;

beforeAll(async () => {
  const env = { CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: String(SLOTS), CAZI_CLAIM_LIMIT_SECONDS: "1" };
  [first, second] = await Promise.all([groundOnNats(server, env), groundOnNats(server, env)]);
  const { claimLimitMs, startLimitMs, stopGraceMs } = first.config;
  stopTransitions = startTransitions({
    ...first,
    ...(await identityOnNats(first)),
    epoch: first.feed.epoch,
    random: Math.random,
    claimLimitMs,
    startLimitMs,
    stopGraceMs,
  });
  roles.push(reactorRole(first), await nodeRole(first, "test"));
});
afterAll(async () => {
  await Promise.all(roles.map((role) => role.stop()));
  await stopTransitions();
  await Promise.all([first.stop(), second.stop()]);
});

async function submit(command: readonly string[], more: object = {}): Promise<TaskKey> {
  const read = readSpec({ image: "cazi/toolbox:latest", command, ...more });
  if (isRefusal(read)) throw new Error(read.message);
  const key = { tenant: "default", task: newId(Date.now()) };
  const { json } = canonicalSpec(read.spec);
  await first.ledger.execute(key, {
    ...submitCommand(json),
    limits: limitsOf(read.spec),
    at: Date.now(),
    id: randomUUID(),
  });
  return key;
}

/** A lease as its holder believes in it. */
function belief(held: boolean): Lease & { set(held: boolean): void } {
  let now = held;
  const callbacks: ((held: boolean) => void)[] = [];
  return {
    held: () => now,
    set: (next) => {
      now = next;
      for (const callback of callbacks) callback(next);
    },
    onChange: (callback) => callbacks.push(callback),
    stop: async () => undefined,
  };
}

/** Stands still right before it writes, with its decision made, until `wake`. */
function pausing(ledger: TaskLedger) {
  let wake = () => {};
  let awake: Promise<void> = Promise.resolve();
  const standing = new Set<string>();
  return {
    standing,
    pause: () => {
      awake = new Promise((resolve) => (wake = resolve));
    },
    wake: () => wake(),
    ledger: {
      ...ledger,
      execute: async (...call: Parameters<TaskLedger["execute"]>) => {
        standing.add(call[0].task);
        await awake;
        return ledger.execute(...call);
      },
    },
  };
}

const schedule = (ground: Ground, lease: Lease, ledger = ground.ledger) =>
  startScheduler({
    ...ground,
    ledger,
    lease,
    index: schedulingIndexOf(ground.live, ground.config.priorityPointMs),
  });
const isAt = (key: TaskKey, ...status: readonly string[]) =>
  waitFor(`task ${key.task} to be ${status}`, async () =>
    status.includes((await first.ledger.load(key)).state.status),
  );
const isOver = async (keys: readonly TaskKey[]) => {
  for (const key of keys)
    await waitFor(`task ${key.task} to end`, async () => !isLive((await first.ledger.load(key)).state), {
      deadlineMs: 30_000,
    });
};

async function historyOf({ task }: TaskKey): Promise<readonly TaskEvent[]> {
  const histories = bySubject(await readLedger(server));
  return [...histories].find(([subject]) => subject.endsWith(`.${task}`))![1].map(({ event }) => event);
}
const typesOf = async (key: TaskKey) => (await historyOf(key)).map(({ body }) => body.type);

/** The most attempts that ran on the node at one time, by the node's own clock. */
async function mostAtOnce(keys: readonly TaskKey[]): Promise<number> {
  const edges: [number, number][] = [];
  for (const key of keys) {
    for (const { body } of await historyOf(key)) {
      if (body.type === "running") edges.push([body.started_at, 1]);
      if (body.type === "succeeded") edges.push([body.outcome.finished_at, -1]);
    }
  }
  edges.sort(([a, up], [b, other]) => a - b || up - other);
  let [now, most] = [0, 0];
  for (const [, change] of edges) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** No attempt number is offered twice, and none cost a retry. */
async function expectOnce(keys: readonly TaskKey[]): Promise<void> {
  for (const key of keys) {
    const history = await historyOf(key);
    const offers = history.filter(({ body }) => body.type === "scheduled");
    const attempts = offers.map(({ state }) => ("attempt" in state ? state.attempt : null));
    expect(attempts).toEqual(offers.map((_offer, n) => n + 1));
    expect(history.at(-1)!.state).toMatchObject({ retries_used: 0, unstarted: 0 });
  }
}

describe("a scheduler that wakes when its lease is another's", () => {
  it("places nothing that the other has placed, and what it does place costs nobody a slot or a retry", async () => {
    const [old, young] = [belief(true), belief(false)];
    const paused = pausing(first.ledger);
    paused.pause();
    const stops = [schedule(first, old, paused.ledger), schedule(second, young)];
    const twice = await submit(["true"]);
    await waitFor("the first to decide", () => paused.standing.has(twice.task));
    old.set(false);
    young.set(true);
    await isAt(twice, "succeeded");

    // It has decided on these, too, when it stops; the other knows nothing of that and fills the node.
    young.set(false);
    old.set(true);
    const late = [await submit(["true"]), await submit(["true"], { start_within_seconds: 3 })];
    await waitFor("the first to decide", () => late.every(({ task }) => paused.standing.has(task)));
    old.set(false);
    const urgent = [
      await submit(["sleep", "4"], { priority: 100 }),
      await submit(["sleep", "4"], { priority: 100 }),
    ];
    young.set(true);
    for (const key of urgent) await isAt(key, "running");
    paused.wake();

    const all = [twice, ...late, ...urgent];
    await isOver(all);
    await Promise.all(stops.map((stop) => stop()));
    expect((await typesOf(twice)).filter((type) => type === "scheduled")).toHaveLength(1);
    expect((await typesOf(late[0]!)).slice(0, 3)).toEqual(["submitted", "scheduled", "returned"]);
    expect((await typesOf(late[0]!)).at(-1)).toBe("succeeded");
    // One that was offered and came back is given up at its own time, not at that of its last offer.
    expect((await first.ledger.load(late[1]!)).state).toMatchObject({
      status: "failed",
      reason: "start_deadline",
    });
    expect(await mostAtOnce(all)).toBe(SLOTS);
    await expectOnce(all);
  });

  it("does no harm for however long both believe that they hold it", async () => {
    const stops = [schedule(first, belief(true)), schedule(second, belief(true))];
    const keys = await Promise.all(Array.from({ length: 16 }, () => submit(["sleep", "0.1"])));
    await isOver(keys);
    await Promise.all(stops.map((stop) => stop()));
    for (const key of keys) expect((await typesOf(key)).at(-1)).toBe("succeeded");
    expect(await mostAtOnce(keys)).toBeLessThanOrEqual(SLOTS);
    await expectOnce(keys);
  });
});
