import { describe, expect, it } from "vitest";
import { loadEngine } from "../engine/engineModule.ts";
import { startGuestThread } from "../engine/guestThread.ts";
import { RSS_POLL_MS } from "../engine/processLink.ts";
import { answerNothing } from "../membrane/answers.ts";
import { runProgram } from "../testing/runProgram.ts";

/** Tells each call's outcome as an event, where events are not what is measured. */
const told =
  "const t = (f) => { try { f(); return 'ok' } catch (e) { return e.name + ': ' + e.message } };\n";

describe("counted budgets", () => {
  it("allows exactly the number of events and refuses the next", async () => {
    const run = await runProgram(
      `${told} const r = [1, 2, 3].map((n) => t(() => emit({ n }))); state.set("r", r);`,
      { flags: ["--max-events=2"] },
    );
    expect(run.events).toEqual([{ n: 1 }, { n: 2 }]);
    expect(run.of("budget_exceeded")).toMatchObject([{ budget: "events", limit: 2, attempted: 3 }]);
    expect(run.of("state_snapshot")[0]!.state).toEqual({
      r: ["ok", "ok", "RangeError: agent budget exceeded: events"],
    });
  });

  it("counts the UTF-8 bytes of an event: the limit fits, one more does not", async () => {
    // {"a":"šš"} is 12 bytes and 10 characters.
    const at = await runProgram(`emit({ a: "šš" })`, { flags: ["--max-event-bytes=12"] });
    expect(at.of("event")[0]).toMatchObject({ event_bytes: 12 });
    const above = await runProgram(`emit({ a: "šš" })`, { flags: ["--max-event-bytes=11"] });
    expect(above.reason).toBe("exception");
    expect(above.of("budget_exceeded")).toMatchObject([{ budget: "event_bytes", limit: 11, attempted: 12 }]);
    expect(above.events).toEqual([]);
  });

  it("measures a note with the bytes of an event", async () => {
    const run = await runProgram(`${told} auditNote({ a: "1234" }); t(() => auditNote({ a: "12345" }));`, {
      flags: ["--max-event-bytes=12"],
    });
    expect(run.of("audit_note")).toMatchObject([{ note: { a: "1234" }, note_bytes: 12 }]);
    expect(run.of("budget_exceeded")).toMatchObject([
      { budget: "audit_note_bytes", limit: 12, attempted: 13 },
    ]);
  });

  it("measures the arguments of a call before anything happens", async () => {
    const run = await runProgram(
      `${told} callTool("echo", { a: "1234" }); emit({ r: t(() => callTool("echo", { a: "12345" })) });`,
      { flags: ["--tool=echo", "--max-tool-arg-bytes=12"] },
    );
    expect(run.of("tool_call")).toHaveLength(1);
    expect(run.of("budget_exceeded")).toMatchObject([
      { budget: "tool_arg_bytes", limit: 12, attempted: 13, tool: "echo" },
    ]);
    expect(run.events).toEqual([{ r: "RangeError: agent budget exceeded: tool_arg_bytes" }]);
  });

  it("keeps a result that is over its bytes from the program", async () => {
    const run = await runProgram(
      `${told} callTool("echo", { a: "1234" }); emit({ r: t(() => callTool("echo", { a: "12345" })) });`,
      { flags: ["--tool=echo", "--max-tool-result-bytes=12"] },
    );
    expect(run.of("tool_result")).toHaveLength(1);
    expect(run.of("budget_exceeded")).toMatchObject([
      { budget: "tool_result_bytes", limit: 12, attempted: 13, tool: "echo" },
    ]);
    expect(run.events).toEqual([{ r: "RangeError: agent budget exceeded: tool_result_bytes" }]);
  });

  it("measures the whole state before it changes", async () => {
    // {"a":"1234"} is 12 bytes.
    const run = await runProgram(
      `${told} state.set("a", "1234"); emit({ r: t(() => state.set("a", "12345")) });`,
      {
        flags: ["--max-state-bytes=12"],
      },
    );
    expect(run.of("state_snapshot")).toMatchObject([{ state: { a: "1234" }, state_bytes: 12 }]);
    expect(run.of("budget_exceeded")).toMatchObject([{ budget: "state_bytes", limit: 12, attempted: 13 }]);
  });

  it("measures an artifact with the bytes of a result", async () => {
    const write = (content: string) => `callTool("writeArtifact", { path: "a", content: "${content}" })`;
    const run = await runProgram(
      `${told} emit({ r: t(() => ${write("x".repeat(201))}) }); ${write("x".repeat(200))};`,
      {
        flags: ["--tool=writeArtifact", "--fs-write=out", "--max-tool-result-bytes=200"],
      },
    );
    expect(run.of("budget_exceeded")).toMatchObject([
      { budget: "artifact_bytes", limit: 200, attempted: 201 },
    ]);
    expect(run.of("run_artifact_manifest")[0]).toMatchObject({ artifacts: [{ path: "a", bytes: 200 }] });
  });
});

describe("budgets of the engine", () => {
  it("runs exactly the microtasks that are allowed", async () => {
    // Each turn of the loop is one job.
    const loop = (count: number) => `(async () => { for (let i = 0; i < ${count}; i++) await 1; })();`;
    const at = await runProgram(loop(50), { flags: ["--max-microtasks=50"] });
    expect(at.status).toBe("ok");
    expect(at.of("run_end")[0]!.used).toMatchObject({ microtasks: 50 });
    const above = await runProgram(loop(51), { flags: ["--max-microtasks=50"] });
    expect(above).toMatchObject({ status: "error", reason: "microtask_budget_exceeded" });
  });

  it("counts steps in granules: the last poll that is allowed and the one after it", async () => {
    // The engine looks after each 10,000 branches; a pass of this loop is two of them.
    const polls = async (passes: number) => {
      const run = await runProgram(`for (let i = 0; i < ${passes}; i++);`, { flags: ["--max-steps=50000"] });
      return { reason: run.reason, polls: (run.of("run_end")[0]!.used as { step_polls: number }).step_polls };
    };
    expect(await polls(30_000)).toEqual({ reason: null, polls: 6 });
    expect(await polls(36_000)).toEqual({ reason: "step_budget_exceeded", polls: 7 });
  });

  it("stops steps at the same place on every run", async () => {
    const source = "let n = 0; for (;;) { n++; if (n % 10000 === 0) state.set('n', n); }";
    const [one, other] = [
      await runProgram(source, { flags: ["--max-steps=100000"] }),
      await runProgram(source, { flags: ["--max-steps=100000"] }),
    ];
    expect(one.reason).toBe("step_budget_exceeded");
    expect(one.of("state_snapshot")[0]!.state).toEqual(other.of("state_snapshot")[0]!.state);
  });

  it("does not let try, catch and finally resume after a step breach", async () => {
    const run = await runProgram("for (;;) { try { for (;;); } catch { emit({}) } finally { emit({}) } }", {
      flags: ["--max-steps=100000"],
    });
    expect(run).toMatchObject({ status: "error", reason: "step_budget_exceeded", events: [] });
    expect(run.of("authority_check")).toMatchObject([{ skipped: "terminated" }]);
  });

  it("ends a program that runs out of time from outside, and closes its log", async () => {
    const run = await runProgram("emit({ a: 1 }); for (;;);", { flags: ["--timeout-ms=400"] });
    expect(run).toMatchObject({ status: "error", reason: "timeout" });
  });

  it("does not let try, catch and finally resume after the time is over", async () => {
    const run = await runProgram("for (;;) { try { for (;;); } catch { emit({}) } finally { emit({}) } }", {
      flags: ["--timeout-ms=400"],
    });
    expect(run).toMatchObject({ status: "error", reason: "timeout", events: [] });
  });

  it("does not count the time in which its parent was busy with something else", async () => {
    const guest = startGuestThread({ engine: loadEngine(), heapMbMax: Promise.resolve(64) });
    const asked: string[] = [];
    const end = await guest.run(
      {
        begin: JSON.stringify({ start_ms: 0, seed: 1, context: {}, scheduled: false }),
        source: "emit({ a: 1 }); emit({ a: 2 });",
        sourceName: "a.js",
        packageMains: {},
        replay: [],
        microtasksMax: 100,
        pollsMax: null,
      },
      { timeoutMs: 150 },
      async ([op]) => {
        asked.push(op);
        // Right after the answer, and for longer than the program may run: the next question waits meanwhile.
        setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200));
        return { value: op === "idle" ? null : answerNothing };
      },
    );
    expect(end.reason).toBeNull();
    expect(asked).toEqual(["emit", "emit", "idle"]);
  });

  it("does not count the time that the program waits for a tool", async () => {
    const run = await runProgram(`await callTool("slow", { delay_ms: 2500 }); emit({ done: true });`, {
      flags: ["--tool=slow", "--timeout-ms=2000", "--tool-timeout-ms=20000"],
    });
    expect(run.events).toEqual([{ done: true }]);
  });

  it("ends a program whose memory grows, even when it catches what the engine throws", async () => {
    const run = await runProgram(
      "const a = []; for (;;) { try { for (;;) a.push(new Array(1000).fill(1)); } catch { } }",
      { flags: ["--max-heap-mb=32"] },
    );
    expect(run).toMatchObject({ status: "error", reason: "memory_heap_exceeded" });
    expect((run.of("run_end")[0]!.used as { heap_bytes: number }).heap_bytes).toBeLessThanOrEqual(
      32 * 1024 * 1024,
    );
  });

  it("leaves a program its memory to the last page, and ends it with the next", async () => {
    // A sixteenth of the memory, and at least 4 MiB, is kept for the engine.
    const limit = (32 - 4) * 1024 * 1024;
    const PAGE_BYTES = 65_536;
    const grown = async (pages: number) => {
      const source = `globalThis.kept = new Uint8Array(${pages * PAGE_BYTES}).fill(1); emit({});`;
      const run = await runProgram(source, { flags: ["--max-heap-mb=32"] });
      const { heap_bytes } = run.of("run_end")[0]!.used as { heap_bytes: number };
      return { reason: run.reason, heap_bytes };
    };
    // What the engine itself takes beside this array makes it exact; it is pinned, and so are its figures.
    expect(await grown(361)).toEqual({ reason: null, heap_bytes: limit });
    expect(await grown(362)).toEqual({ reason: "memory_heap_exceeded", heap_bytes: limit + PAGE_BYTES });
  });

  it("ends a program at the first look that finds more than it may have", async () => {
    const MIB = 1024 * 1024;
    const limit = 96 * MIB;
    // A mebibyte for each two or three looks; the others that it may be over are for what the process itself does meanwhile.
    const source = `const kept = [new Uint8Array(${16 * MIB}).fill(1)]; for (;;) { kept.push(new Uint8Array(${MIB}).fill(1)); await callTool("slow", { delay_ms: ${2.5 * RSS_POLL_MS} }); }`;
    const run = await runProgram(source, {
      flags: ["--tool=slow", `--max-rss-mb=${limit / MIB}`, "--max-heap-mb=512"],
    });
    expect(run.reason).toBe("memory_rss_exceeded");
    const { rss_bytes } = run.of("run_end")[0]!.used as { rss_bytes: number };
    expect(rss_bytes).toBeGreaterThan(limit);
    expect(rss_bytes).toBeLessThanOrEqual(limit + 4 * MIB);
  });

  it("leaves a program alone that stays within its memory", async () => {
    const run = await runProgram(
      "const a = []; for (let i = 0; i < 200; i++) a.push(new Array(1000).fill(1)); emit({})",
      {
        flags: ["--max-heap-mb=32"],
      },
    );
    expect(run).toMatchObject({ status: "ok", events: [{}] });
  });

  it("takes what a tool gives exactly at the end of its time, and not what it gives a millisecond later", async () => {
    const ask = (delayMs: number) => `callTool("slow", { delay_ms: ${delayMs} })`;
    const run = await runProgram(
      `const told = await Promise.allSettled([${ask(200)}, ${ask(201)}]); emit({ told: told.map((one) => one.status) });`,
      { flags: ["--tool=slow", "--tool-timeout-ms=200"] },
    );
    expect(run.events).toEqual([{ told: ["fulfilled", "rejected"] }]);
    expect(run.of("tool_timeout")).toMatchObject([{ tool: "slow", tool_timeout_ms: 200 }]);
  });

  it("gives a tool its own time, once, and never runs the continuation", async () => {
    const run = await runProgram(
      `callTool("slow", { delay_ms: 60000 }).then(() => emit({ late: true }), (e) => emit({ code: e.code }));`,
      { flags: ["--tool=slow", "--tool-timeout-ms=50"] },
    );
    expect(run).toMatchObject({ status: "ok", events: [{ code: "TOOL_TIMEOUT" }] });
    expect(run.of("tool_timeout")).toMatchObject([{ tool: "slow", tool_timeout_ms: 50 }]);
  });
});
