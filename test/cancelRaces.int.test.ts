/** A cancel against whatever else may happen to a task: one end each time, a true one, and nothing left running. */
import { createServer, type Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CarriedTask } from "../services/domain/task/taskState.ts";
import type { StoredEvent } from "../services/kernel/ledger/storedEvent.ts";
import type { TaskKey } from "../services/kernel/ledger/taskLedger.ts";
import { subjects } from "../streams/subjects.ts";
import { type HoldingEngine, holdingEngine } from "./support/holdingEngine.ts";
import { bySubject, endsIn, readLedger } from "./support/homeLedger.ts";
import { type InstanceContainers, instanceContainers } from "./support/instanceContainers.ts";
import { seededRandom, testSeed } from "./support/seededRandom.ts";
import { type TasksOnNats, tasksOnNats } from "./support/tasksOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withEngine } from "./support/withEngine.ts";
import { withNats } from "./support/withNats.ts";

const random = seededRandom(testSeed);
console.info(`cancel races: TEST_SEED=${testSeed}`);

/** Cancels each task some time after it was granted. @returns their last events when all are over */
async function race(
  tasks: TasksOnNats,
  server: Parameters<typeof readLedger>[0],
  of: {
    readonly count: number;
    readonly spec: () => object;
    readonly withinMs: number;
  },
): Promise<readonly StoredEvent[]> {
  const { live } = tasks.ground;
  const seen = whenSeen(live);
  const keys = await Promise.all(
    Array.from({ length: of.count }, async (_, index) => {
      const key = await tasks.submit(of.spec());
      await seen(key.task, (status) => status === "claimed" || status === "running");
      await pause(random() * of.withinMs);
      // Some come too late, however slow the machine is.
      if (index % 10 === 0) await seen(key.task, () => false);
      const refused = await tasks.cancel(key);
      if (refused !== null) expect(refused).toBe("TASK_ENDED");
      return key;
    }),
  );
  await waitFor("all to end", () => keys.every((key) => live.tasks.hasEnded(key.task)), {
    deadlineMs: 150_000,
  });
  const histories = bySubject(await readLedger(server));
  return keys.map((key) => {
    const events = histories.get(subjects.ledger({ tenant: key.tenant, kind: "task", id: key.task }))!;
    expect(endsIn(events)).toBe(1);
    return events.at(-1)!;
  });
}

/** Waits, without asking again and again, until the fold has a task over or so. */
function whenSeen(live: TasksOnNats["ground"]["live"]) {
  const waiting = new Set<() => boolean>();
  live.onApplied(() => {
    for (const look of waiting) if (look()) waiting.delete(look);
  });
  return (task: string, wanted: (status: CarriedTask["status"]) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        const status = live.tasks.get(task)?.state.status;
        const is = status === undefined ? live.tasks.hasEnded(task) : wanted(status);
        if (is) resolve();
        return is;
      };
      if (!look()) waiting.add(look);
    });
}

/** What an end says is what the command did: 0 when it came to its own end, another code when it was told to stop. */
function expectTruth({ event }: StoredEvent): void {
  const { status, exit_code, finished_at, cancel } = event.state as CarriedTask;
  if (exit_code === 0) {
    // At the very moment of the signal either is true; before it only one.
    const beforeTheCancel = cancel === null || finished_at! < cancel.at;
    expect([status, status === "succeeded" || !beforeTheCancel]).toEqual([status, true]);
  } else {
    expect({ status, exit_code }).toMatchObject({ status: "cancelled" });
  }
}

describe("a cancel and an end that race", () => {
  const server = withNats();
  let tasks: TasksOnNats;
  beforeAll(async () => {
    const env = { CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: "1100" };
    tasks = await tasksOnNats(server, { env, instance: "races" });
  });
  afterAll(() => tasks.stop());

  it("give each of a thousand tasks exactly one end, and a true one", async () => {
    const spec = () => ({ command: ["sleep", String(0.4 + random() * 1.2)] });
    const ends = await race(tasks, server, { count: 1_000, spec, withinMs: 1_000 });
    for (const end of ends) expectTruth(end);
    const count = (status: string) => ends.filter(({ event }) => event.state.status === status).length;
    console.info(`cancel races: ${count("cancelled")} cancelled, ${count("succeeded")} succeeded`);
    expect(count("succeeded")).toBeGreaterThanOrEqual(100);
    expect(count("cancelled") + count("succeeded")).toBe(1_000);
  });
});

describe("a cancel on a real engine", () => {
  const server = withNats();
  const engine = withEngine();
  const instance = `races-${testSeed}`;
  let proxy: HoldingEngine;
  let tasks: TasksOnNats;
  let containers: InstanceContainers;
  let silent: Server;
  beforeAll(async () => {
    proxy = await holdingEngine(engine.dockerHost);
    const env = { CAZI_NODE_RUNTIME: "docker", CAZI_NODE_SLOTS: "8", DOCKER_HOST: proxy.dockerHost };
    tasks = await tasksOnNats(server, { env, instance });
    containers = instanceContainers(engine.dockerHost, instance);
    // A registry that takes connections and says nothing.
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await tasks.stop();
    await containers.removeAll();
    await proxy.close();
    silent.close();
  });
  const isGone = (key: TaskKey) =>
    waitFor("its container to be gone", async () => (await containers.ofTask(key.task)) === null, {
      deadlineMs: 20_000,
    });

  it("gives each of fifty containers one end, and a true one, and leaves none", async () => {
    const command = ["sh", "-c", "trap 'exit 42' TERM; sleep 0.3 & wait $!; exit 0"];
    const spec = () => ({ command, network: "none" });
    const ends = await race(tasks, server, { count: 50, spec, withinMs: 1_500 });
    for (const end of ends) expectTruth(end);
    await waitFor("no container to be left", async () => (await containers.list()).length === 0, {
      deadlineMs: 20_000,
    });
  }, 180_000);

  it("ends a task while its image is pulled, and nothing was made for it", async () => {
    const { port } = silent.address() as { port: number };
    const key = await tasks.submit({ image: `127.0.0.1:${port}/never:1`, max_retries: 3 });
    await waitFor("the pull to be under way", async () => {
      const state = await tasks.state(key);
      return state.status === "claimed" && state.pull !== null;
    });
    expect(await tasks.cancel(key)).toBeNull();
    const { state } = await tasks.ended(key);
    expect(state).toMatchObject({ status: "cancelled", started_at: null, exit_code: null, attempt: 1 });
    expect(await containers.ofTask(key.task)).toBeNull();
  });

  it("ends a task while its container is created; one that is there too late is never started, and goes", async () => {
    proxy.hold("/containers/create");
    const key = await tasks.submit({ command: ["sleep", "60"], network: "none" });
    await waitFor("the engine to be asked", () => proxy.held > 0, { deadlineMs: 20_000 });
    expect(await tasks.cancel(key)).toBeNull();
    const { state } = await tasks.ended(key);
    expect(state).toMatchObject({ status: "cancelled", started_at: null, exit_code: null });
    proxy.release();
    await waitFor("the engine to have made it", async () => (await containers.ofTask(key.task)) !== null, {
      pollMs: 5,
      deadlineMs: 3_000,
    }).catch(() => undefined);
    await isGone(key);
  });
});
