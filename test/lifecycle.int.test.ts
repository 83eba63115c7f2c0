import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeRole } from "../deploy/compose/roles/node.ts";
import { reactorRole } from "../deploy/compose/roles/reactor.ts";
import type { Ground, RunningRole } from "../deploy/compose/roles/role.ts";
import { schedulerRole } from "../deploy/compose/roles/scheduler.ts";
import { startTransitions } from "../services/control-plane/transitions/startTransitions.ts";
import { isRefusal } from "../services/domain/refusal.ts";
import { readSpec } from "../services/domain/spec/readSpec.ts";
import { canonicalSpec } from "../services/kernel/canonicalSpec.ts";
import { deadLettersOnNats } from "../services/kernel/deadLetters/deadLetters.ts";
import { newId } from "../services/kernel/ids.ts";
import { subjects } from "../streams/subjects.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { identityOnNats } from "./support/identityOnNats.ts";
import { submitCommand } from "./support/ledgerOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

const server = withNats();
let ground: Ground;
const roles: RunningRole[] = [];
let stopTransitions: () => Promise<void>;

beforeAll(async () => {
  ground = await groundOnNats(server, { CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: "64" });
  stopTransitions = startTransitions({
    ...ground,
    ...(await identityOnNats(ground)),
    epoch: ground.feed.epoch,
    random: Math.random,
    claimLimitMs: ground.config.claimLimitMs,
    startLimitMs: ground.config.startLimitMs,
    stopGraceMs: ground.config.stopGraceMs,
  });
  roles.push(schedulerRole(ground), reactorRole(ground), await nodeRole(ground, "test"));
});
afterAll(async () => {
  await Promise.all(roles.map((role) => role.stop()));
  await stopTransitions();
  await ground.stop();
});

async function submit(command: readonly string[], more: object = {}) {
  const read = readSpec({ image: "cazi/toolbox:latest", command, ...more });
  if (isRefusal(read)) throw new Error(read.message);
  const key = { tenant: "default", task: newId(Date.now()) };
  const { json } = canonicalSpec(read.spec);
  const limits = { ...submitCommand().limits, timeout_ms: read.spec.timeout_seconds * 1000 };
  await ground.ledger.execute(key, { ...submitCommand(json), limits, id: randomUUID() });
  return key;
}

/** Asks the fold, which costs nothing, and the ledger once it has ended. */
async function ended(key: { tenant: string; task: string }) {
  await waitFor(`task ${key.task} to end`, () => ground.live.tasks.hasEnded(key.task), {
    deadlineMs: 45_000,
  });
  return (await ground.ledger.load(key)).state;
}

describe("a task on the no-op runtime, over real messages", () => {
  it("goes from submitted to succeeded", async () => {
    expect(await ended(await submit(["echo", "hi"]))).toMatchObject({
      status: "succeeded",
      exit_code: 0,
      attempt: 1,
      node: "local",
    });
  });

  it("ends with the exit code of its command", async () => {
    expect(await ended(await submit(["exit", "7"]))).toMatchObject({
      status: "failed",
      reason: "exit",
      exit_code: 7,
    });
  });

  it("is stopped at its timeout", async () => {
    const state = await ended(await submit(["sleep", "60"], { timeout_seconds: 1 }));
    expect(state).toMatchObject({ status: "failed", reason: "timeout" });
  });

  it("is cancelled while it runs", async () => {
    const key = await submit(["sleep", "60"]);
    await waitFor("it to run", async () => (await ground.ledger.load(key)).state.status === "running");
    const who = submitCommand().who;
    await ground.ledger.execute(key, {
      kind: "cancel",
      at: Date.now(),
      id: randomUUID(),
      who,
      reason: "enough",
    });
    ground.nats.connection.publish("control.local");
    expect(await ended(key)).toMatchObject({
      status: "cancelled",
      reason: "cancelled",
      cancel: { reason: "enough" },
    });
  });

  it("stays pending where no node fits, and others pass it by", async () => {
    const waiting = await submit(["echo", "hi"], { tags: ["gpu"] });
    await ended(await submit(["echo", "hi"]));
    expect((await ground.ledger.load(waiting)).state).toMatchObject({ status: "pending", attempt: 0 });
  });

  it("of one concurrency key run one after the other, beside others", async () => {
    const key = { concurrency_key: "db", concurrency_limit: 1 };
    const keys = await Promise.all(Array.from({ length: 4 }, () => submit(["sleep", "0.1"], key)));
    const times = (await Promise.all(keys.map(ended))).map((state) => {
      if (!("started_at" in state)) throw new Error("it has ended");
      return [state.started_at!, state.finished_at!] as const;
    });
    times.sort(([one], [other]) => one - other);
    for (const [n, [started]] of times.entries())
      if (n > 0) expect(started).toBeGreaterThanOrEqual(times[n - 1]![1]);
  });

  it("of five hundred at once each has one end, and never more run than there are slots", async () => {
    const keys = await Promise.all(Array.from({ length: 500 }, () => submit(["true"])));
    const states = await Promise.all(keys.map(ended));
    expect(states.every((state) => state.status === "succeeded" && state.attempt === 1)).toBe(true);
    expect(ground.live.tasks.countOn("local")).toBe(0);
  });
});

describe("a report that nobody can read", () => {
  it("is put aside with why, comes back as such when it is sent again, is dropped, and holds up nothing", async () => {
    const dead = deadLettersOnNats(ground.nats);
    const task = newId(Date.now());
    const letters = async () => {
      const { letters } = await dead.list({ after: 0, max: 10, isFor: (letter) => letter.task === task });
      return letters;
    };
    const subject = subjects.report({ node: "test", task });
    await ground.nats.js.publish(subject, "no report");
    const [first] = await waitFor("the letter", async () => {
      const found = await letters();
      return found.length === 1 ? found : null;
    });
    expect(first).toMatchObject({ kind: "report", node: "test", resending: false });
    expect([Buffer.from(first!.bytes).toString(), first!.reason]).toEqual([
      "no report",
      expect.stringMatching(/expected/),
    ]);
    expect(await dead.resend(first!, { actor: "user:a", accountable: null, route: "cli" })).toBe(true);
    const [again] = await waitFor("it to come back", async () => {
      const found = await letters();
      return found.length === 1 && found[0]!.seq > first!.seq ? found : null;
    });
    await dead.drop(again!.seq);
    expect(await letters()).toEqual([]);
    expect(await ended(await submit(["true"]))).toMatchObject({ status: "succeeded" });
  });
});
