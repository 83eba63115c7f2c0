import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AgentLife } from "../agentLife.ts";
import { logChunkBytesMax, logChunkDelayMs } from "../limits.ts";
import type { LogChunk, Logs } from "../ports.ts";
import { StreamPump } from "./streamPump.ts";

const ref = { tenant: "acme", task: "t", attempt: 1, fence: "1-t" };

/** A LOGS that takes each chunk when it is told to, or at once. */
class ManualLogs implements Logs {
  readonly chunks: LogChunk[] = [];
  #release: (() => void)[] = [];
  held = false;
  failures = 0;

  async append(chunk: LogChunk): Promise<void> {
    if (this.held) await new Promise<void>((resolve) => this.#release.push(resolve));
    if (this.failures > 0) {
      this.failures--;
      throw new Error("not stored");
    }
    this.chunks.push(chunk);
  }

  async storedOffset(): Promise<number> {
    return 0;
  }

  release(): void {
    for (const one of this.#release.splice(0)) one();
  }

  text(): string {
    return Buffer.concat(this.chunks.map((chunk) => chunk.bytes)).toString("hex");
  }
}

function pumpInto(
  logs: ManualLogs,
  more: { capBytes?: number; fromBytes?: number; life?: AgentLife; proof?: Promise<void> } = {},
) {
  let now = 0;
  return new StreamPump(
    {
      ref,
      stream: "stdout",
      logs,
      capBytes: more.capBytes ?? 1e9,
      fromBytes: more.fromBytes ?? 0,
      finishBoundMs: 1_000,
      clock: { now: () => 1_000, monotonicMs: () => (now += 100) },
      connected: () => true,
      proveWritable: () => more.proof ?? Promise.resolve(),
      life: more.life ?? new AgentLife(),
      onFailure: () => {},
    },
    () => {},
  );
}

describe("one output stream on its way to LOGS", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gathers what comes within the delay into one chunk", async () => {
    const logs = new ManualLogs();
    const pump = pumpInto(logs);
    pump.write(Buffer.from("a"));
    pump.write(Buffer.from("b"));
    expect(logs.chunks).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(logChunkDelayMs);
    expect(logs.chunks.map((chunk) => [chunk.offset, Buffer.from(chunk.bytes).toString()])).toEqual([
      [0, "ab"],
    ]);
  });

  it("sends at the end what is left, without the delay", async () => {
    const logs = new ManualLogs();
    const pump = pumpInto(logs);
    pump.write(Buffer.from("tail"));
    await pump.finish();
    expect(pump.counts()).toEqual({ stored: 4, dropped: 0 });
  });

  it("has one chunk in flight, and repeats it until it is stored before the next", async () => {
    const logs = new ManualLogs();
    logs.held = true;
    const pump = pumpInto(logs);
    pump.write(Buffer.alloc(logChunkBytesMax, 1));
    pump.write(Buffer.alloc(logChunkBytesMax, 2));
    pump.write(Buffer.from("end"));
    logs.failures = 1;
    logs.held = false;
    logs.release();
    const finished = pump.finish();
    await vi.runAllTimersAsync();
    await finished;
    expect(logs.chunks.map((chunk) => chunk.offset)).toEqual([0, logChunkBytesMax, 2 * logChunkBytesMax]);
  });

  it("stores up to the cap and says how much came beyond", async () => {
    const logs = new ManualLogs();
    const pump = pumpInto(logs, { capBytes: 5 });
    pump.write(Buffer.from("1234567890"));
    await pump.finish();
    expect(pump.counts()).toEqual({ stored: 5, dropped: 5 });
    expect(logs.chunks.at(-1)).toMatchObject({ offset: 5, dropped: 5 });
    expect(logs.chunks.at(-1)!.bytes).toHaveLength(0);
  });

  it("goes on from what was stored before", async () => {
    const logs = new ManualLogs();
    const pump = pumpInto(logs, { fromBytes: 100 });
    pump.write(Buffer.from("x"));
    await pump.finish();
    expect(logs.chunks[0]!.offset).toBe(100);
    expect(pump.counts().stored).toBe(101);
  });

  it("gives up after the end when LOGS takes nothing within the bound, and counts the rest as dropped", async () => {
    const logs = new ManualLogs();
    logs.failures = 60;
    const pump = pumpInto(logs);
    pump.write(Buffer.from("lost"));
    const finished = pump.finish();
    await vi.runAllTimersAsync();
    await finished;
    expect(pump.counts()).toEqual({ stored: 0, dropped: 4 });
  });

  it("gives nothing up while the server takes nothing else either, and stores all when it does again", async () => {
    const logs = new ManualLogs();
    logs.failures = 15;
    let prove: () => void = () => {};
    const proof = new Promise<void>((resolve) => {
      prove = resolve;
    });
    const pump = pumpInto(logs, { proof });
    pump.write(Buffer.from("kept"));
    const finished = pump.finish();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(pump.counts()).toEqual({ stored: 0, dropped: 0 });
    prove();
    await vi.runAllTimersAsync();
    await finished;
    expect(pump.counts()).toEqual({ stored: 4, dropped: 0 });
  });

  it("ends with the agent's life", async () => {
    const logs = new ManualLogs();
    logs.failures = 1_000_000;
    const life = new AgentLife();
    const pump = pumpInto(logs, { life });
    pump.write(Buffer.from("x"));
    const finished = expect(pump.finish()).rejects.toThrow(expect.objectContaining({ name: "Abandoned" }));
    life.end();
    await finished;
  });
});

it("takes a mebibyte in pieces of two bytes without growing by more than that", async () => {
  const logs = new ManualLogs();
  logs.held = true;
  const pump = pumpInto(logs);
  const piece = Buffer.from("y\n");
  const before = process.memoryUsage();
  for (let i = 0; i < 512 * 1024; i++) pump.write(piece);
  const after = process.memoryUsage();
  expect(pump.pendingBytes + logChunkBytesMax).toBe(1024 * 1024);
  expect(after.external + after.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(
    8 * 1024 * 1024,
  );
  logs.held = false;
  logs.release();
  await pump.finish();
  expect(pump.counts().stored).toBe(1024 * 1024);
});

it("any pieces arrive whole, in order, in chunks that are not too large", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 200_000 }), { maxLength: 12 }), async (sizes) => {
      const logs = new ManualLogs();
      const pump = pumpInto(logs);
      const pieces = sizes.map((size, i) => Buffer.alloc(size, i));
      for (const piece of pieces) pump.write(piece);
      await pump.finish();
      expect(logs.text()).toBe(Buffer.concat(pieces).toString("hex"));
      expect(logs.chunks.every((chunk) => chunk.bytes.length <= logChunkBytesMax)).toBe(true);
    }),
    { numRuns: 30 },
  );
});
