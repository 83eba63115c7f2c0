/** A disk of the node that fills between any two steps of an attempt: real marker files on a small disk, the rest in memory. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import type { GrantReply } from "../../schemas/messages/node.ts";
import { smallDisk } from "../../test/support/smallDisk.ts";
import { waitFor } from "../../test/support/waitFor.ts";
import { systemClock } from "../kernel/clock.ts";
import { noTracer } from "../kernel/tracing/tracer.ts";
import { Agent } from "./agent.ts";
import { AgentLife } from "./agentLife.ts";
import { nextGeneration } from "./generation.ts";
import { openMarkerFiles } from "./markerFiles.ts";
import { NoopRuntime } from "./runtimes/noop/noopRuntime.ts";
import { MemoryWorld } from "./testing/memoryPorts.ts";

const ref = { tenant: "acme", task: "t1", attempt: 1, fence: "1-t1" };
const nothing = () => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const disk = smallDisk(4);
const lives: AgentLife[] = [];
afterEach(() => {
  for (const life of lives.splice(0)) life.end();
  disk.free();
});
afterAll(() => disk.remove());

async function agentOnDisk(grant: (world: MemoryWorld) => Promise<GrantReply>, folder: string) {
  const world = new MemoryWorld(ref, { image: "x", command: ["echo", "hi"] });
  const life = new AgentLife();
  lives.push(life);
  const declined: string[] = [];
  const looks: string[] = [];
  const markers = await openMarkerFiles(join(disk.path, folder), log);
  const agent = new Agent(
    {
      node: "n",
      runtime: new NoopRuntime(systemClock, { outlivesAgent: true }),
      control: {
        grant: async ({ decline }) => {
          if (decline === null) return grant(world);
          declined.push(decline);
          return { answer: "no", reason: "declined" };
        },
        beat: () => world.beat(),
      },
      reports: world,
      logs: world,
      artifacts: null,
      stdin: null,
      markers,
      clock: systemClock,
      log,
      stopGraceMs: 100,
      life,
      revisionBase: 1_000,
      tracer: noTracer,
      connected: () => true,
    },
    {
      slots: 4,
      unavailable: () => null,
      onFree: nothing,
      onManyHeld: nothing,
      onDiskTrouble: () => looks.push("looked"),
    },
  );
  await agent.look();
  return { agent, world, declined, looks, names: () => readdirSync(join(disk.path, folder)) };
}

const offer = { ref, ack: nothing, working: nothing };

it("that is full at the offer gives the offer back before anything is granted, and is looked at", async () => {
  const { agent, world, declined, looks, names } = await agentOnDisk((of) => of.grant(), "full");
  disk.fill();
  agent.accept(offer);
  await waitFor("the offer to be given back", () => declined.length === 1 && agent.table.all().length === 0);
  expect(declined).toEqual(["nothing can be written to the node's CAZI_HOME: ENOSPC"]);
  expect([world.granted, looks, names()]).toEqual([false, ["looked"], []]);
});

it("that fills once the attempt is granted has the room for its marker, and it runs to its end", async () => {
  const { agent, world, names } = await agentOnDisk(async (of) => {
    disk.fill();
    return of.grant();
  }, "granted");
  agent.accept(offer);
  await waitFor("its end", () => world.outcome);
  expect(world.outcome).toMatchObject({ ended: { exit_code: 0 }, not_started: null });
  await waitFor("it to be forgotten", async () => {
    await (await agent.look()).act(await world.beat());
    return agent.table.all().length === 0;
  });
  expect(names()).toEqual([]);
});

it("that fills once the attempt is granted has the room for the word that it never starts", async () => {
  const { agent, world } = await agentOnDisk(async (of) => {
    disk.fill();
    return { ...(await of.grant()), spec: "no spec" } as GrantReply;
  }, "never");
  agent.accept(offer);
  await waitFor("its end", () => world.outcome);
  expect(world.outcome).toMatchObject({ not_started: { reason: "runtime_refused" } });
});

it("that is full holds up no cancel of an attempt of which nothing is here", async () => {
  const { agent, world } = await agentOnDisk((of) => of.grant(), "cancelled");
  disk.fill();
  const { act } = await agent.look();
  await act({ as_of: { epoch: "e", seq: 2 }, desired: [{ ...ref, cancel: true }], settled: [] });
  await waitFor("its end", () => world.outcome);
  expect(world.outcome).toMatchObject({ not_started: { reason: "cancelled" } });
});

it("that is full takes an agent that starts anew on it, and counts its lives on", async () => {
  const folder = join(disk.path, "lives");
  for (const expected of [1, 2, 3]) expect(await nextGeneration(folder)).toBe(expected);
  disk.fill();
  for (const expected of [4, 5, 6, 7, 8, 9, 10, 11]) expect(await nextGeneration(folder)).toBe(expected);
  expect(readdirSync(folder)).toEqual(["generation"]);
  await expect(nextGeneration(join(disk.path, "other"))).rejects.toMatchObject({ code: "ENOSPC" });
  disk.free();
  expect(await nextGeneration(folder)).toBe(12);
});

it("keeps no room for an attempt that is refused, nor for those of a life that died", async () => {
  const refused = await agentOnDisk(async () => ({ answer: "no", reason: "over" }), "refused");
  refused.agent.accept(offer);
  await waitFor("it to be forgotten", () => refused.agent.table.all().length === 0);
  expect(refused.names()).toEqual([]);

  const died = await agentOnDisk(() => new Promise(nothing), "died");
  died.agent.accept(offer);
  await waitFor("the room", () => died.names().length === 1);
  expect((await agentOnDisk((of) => of.grant(), "died")).names()).toEqual([]);
});
