/**
 * The agent dies before or after every effect that it has on the world, and a new life goes on from what is left.
 * Whatever the step: one start at most, one outcome, no byte lost, nothing left behind.
 */
import { describe, expect, it } from "vitest";
import { waitFor } from "../../test/support/waitFor.ts";
import { systemClock } from "../kernel/clock.ts";
import { noTracer } from "../kernel/tracing/tracer.ts";
import { Agent } from "./agent.ts";
import { AgentLife } from "./agentLife.ts";
import type { AgentContext } from "./attempt/agentContext.ts";
import type { AgentLog } from "./ports.ts";
import { NoopRuntime } from "./runtimes/noop/noopRuntime.ts";
import { MemoryWorld } from "./testing/memoryPorts.ts";

const ref = { tenant: "acme", task: "t1", attempt: 1, fence: "1-t1" };
const nothing = () => {};
const log: AgentLog = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Counts the calls of every port, and ends the world for one life at one of them. */
class Crash {
  calls = 0;
  readonly #at: number;
  readonly #side: "before" | "after";
  readonly #life: AgentLife;
  readonly names: string[] = [];

  constructor(at: number, side: "before" | "after", life: AgentLife) {
    this.#at = at;
    this.#side = side;
    this.#life = life;
  }

  wrap<T extends object>(port: T, methods: readonly (keyof T & string)[]): T {
    return new Proxy(port, {
      get: (target, name) => {
        const value = target[name as keyof T];
        if (typeof value !== "function") return value;
        if (!methods.includes(name as keyof T & string)) return value.bind(target);
        return (...args: unknown[]) => this.#around(String(name), () => value.apply(target, args));
      },
    });
  }

  async #around(name: string, work: () => unknown): Promise<unknown> {
    const mine = this.calls++ === this.#at;
    this.names.push(name);
    if (this.#life.over) return new Promise(() => {});
    if (mine && this.#side === "before") return this.#die();
    const result = await work();
    if (mine) return this.#die();
    return result;
  }

  #die(): Promise<never> {
    this.#life.end();
    return new Promise(() => {});
  }
}

interface Lived {
  readonly agent: Agent;
  readonly life: AgentLife;
  readonly crash: Crash;
}

function live(
  world: MemoryWorld,
  runtime: NoopRuntime,
  options: { at: number; side: "before" | "after"; generation: number },
): Lived {
  const life = new AgentLife();
  const crash = new Crash(options.at, options.side, life);
  const port = crash.wrap(world, [
    "grant",
    "publish",
    "append",
    "reserve",
    "write",
    "storedOffset",
    "remove",
  ]);
  const context: AgentContext = {
    node: "n",
    runtime: crash.wrap(runtime, ["resolveImage", "create", "attach", "start", "wait", "remove"]),
    control: { grant: () => port.grant(), beat: () => port.beat() },
    reports: { publish: (report) => port.publish(report) },
    logs: {
      append: (chunk) => port.append(chunk),
      storedOffset: (of, stream) => port.storedOffset(of, stream),
    },
    artifacts: null,
    stdin: null,
    markers: {
      reserve: (of) => port.reserve(of),
      write: (marker) => port.write(marker),
      probe: () => port.probe(),
      list: () => port.list(),
      remove: (of) => port.remove(of),
    },
    clock: systemClock,
    log,
    stopGraceMs: 100,
    life,
    revisionBase: options.generation * 1_000,
    tracer: noTracer,
    connected: () => true,
  };
  const agent = new Agent(context, {
    slots: 4,
    unavailable: () => null,
    onFree: nothing,
    onManyHeld: nothing,
    onDiskTrouble: nothing,
  });
  return { agent, life, crash };
}

async function beat({ agent, life }: Lived, world: MemoryWorld): Promise<void> {
  if (life.over) return;
  const { act } = await agent.look();
  if (!life.over) await Promise.race([act(await world.beat()), ended(life)]);
}

function ended(life: AgentLife): Promise<void> {
  return new Promise((resolve) => {
    life.onEnd(resolve);
  });
}

/** One attempt, a life that dies at the step, then a second that brings it to its end. */
async function survive(at: number, side: "before" | "after") {
  const world = new MemoryWorld(ref, { image: "x", command: ["echo", "hi"] });
  const runtime = new NoopRuntime(systemClock, { outlivesAgent: true });
  let acked = false;
  const ack = () => {
    acked = true;
  };
  const offer = { ref, ack, working: nothing };
  const first = live(world, runtime, { at, side, generation: 1 });
  first.agent.accept(offer);
  await waitFor(
    "the first life to die or finish",
    async () => {
      await beat(first, world);
      return first.life.over || (world.outcome !== undefined && first.agent.table.all().length === 0);
    },
    { pollMs: 1 },
  );
  const reached = first.life.over ? first.crash.names[at] : undefined;
  first.life.end();
  const second = live(world, runtime, { at: -1, side, generation: 2 });
  if (!acked) second.agent.accept(offer);
  await waitFor(
    "the second life to settle everything",
    async () => {
      await beat(second, world);
      const left = [...(await runtime.observe()), ...(await world.list())];
      return world.outcome !== undefined && left.length === 0 && second.agent.table.all().length === 0;
    },
    { pollMs: 1 },
  );
  second.life.end();
  return { world, starts: runtime.starts.get(ref.fence) ?? 0, reached };
}

describe.each(["before", "after"] as const)("an agent that dies %s an effect", (side) => {
  it("starts an attempt at most once, reports one outcome and loses no byte", async () => {
    const table: string[] = [];
    for (let at = 0; ; at++) {
      const { world, starts, reached } = await survive(at, side);
      if (reached === undefined) break;
      const { outcome } = world;
      const how =
        outcome?.not_started?.reason ?? outcome?.ended?.failure ?? `exit ${outcome?.ended?.exit_code}`;
      expect(starts, `starts when dying ${side} ${reached}`).toBeLessThanOrEqual(1);
      if (starts === 1) expect(world.logged("stdout")).toBe("hi\n");
      const revisions = world.stored.map((report) => report.revision);
      expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
      table.push(`${reached}: starts ${starts}, ${how}`);
    }
    expect(table.join("\n")).toMatchSnapshot();
  });
});
