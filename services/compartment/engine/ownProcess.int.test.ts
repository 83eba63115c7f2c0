import { describe, expect, it } from "vitest";
import { runProgram } from "../testing/runProgram.ts";

const used = (run: Awaited<ReturnType<typeof runProgram>>) =>
  run.of("run_end")[0]!.used as { rss_bytes: number; heap_bytes: number };

describe("a run whose process may take so much memory", () => {
  it("runs as any other, with every surface, in a process of its own", async () => {
    const run = await runProgram(
      `emit({ r: callTool("echo", { a: 1 }) }); emit(await callTool("slow", { delay_ms: 1 })); state.set("k", 1);`,
      { flags: ["--tool=echo", "--tool=slow", "--tool-timeout-ms=20000", "--max-rss-mb=512"] },
    );
    expect(run.events).toEqual([{ r: { a: 1 } }, { ok: true, tool: "slow", delay_ms: 1, value: null }]);
    expect(run.records[0]!.worker).toMatchObject({ process: true });
    expect(used(run).rss_bytes).toBeGreaterThan(16 * 1024 * 1024);
    expect(used(run).rss_bytes).toBeLessThan(512 * 1024 * 1024);
  });

  it("is ended from outside when it takes more, and its log is closed", async () => {
    const run = await runProgram("const a = []; for (;;) a.push(new Uint8Array(65536).fill(1));", {
      flags: ["--max-rss-mb=200", "--max-heap-mb=2048"],
    });
    expect(run).toMatchObject({ status: "error", reason: "memory_rss_exceeded" });
    expect(run.of("authority_check")).toMatchObject([{ skipped: "terminated" }]);
    expect(used(run).rss_bytes).toBeGreaterThan(200 * 1024 * 1024);
  });

  it("is ended from outside when its time is over, inside of what looks at no budget", async () => {
    const run = await runProgram("Array.prototype.indexOf.call({ length: 4294967295 }, 99)", {
      flags: ["--max-rss-mb=512", "--timeout-ms=400"],
    });
    expect(run).toMatchObject({ status: "error", reason: "timeout" });
  });

  it("cannot be limited to less than the process alone takes, and the refusal says why", async () => {
    await expect(runProgram("", { flags: ["--max-rss-mb=95"] })).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringContaining("holds nothing but the engine"),
    });
    expect((await runProgram("emit({});", { flags: ["--max-rss-mb=128"] })).status).toBe("ok");
  });
});
