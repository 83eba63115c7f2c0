import { describe, expect, it } from "vitest";
import { runProgram } from "../testing/runProgram.ts";

const used = (run: Awaited<ReturnType<typeof runProgram>>) =>
  run.of("run_end")[0]!.used as { rss_bytes: number; heap_bytes: number };

describe("a run whose process may take so much memory", () => {
  it("runs as any other, with every surface, in a process of its own", async () => {
    const run = await runProgram(
      `emit({ r: callTool("echo", { a: 1 }) }); emit(await callTool("slow", { delay_ms: 1 }));
       state.set("k", 1); emit({ k: state.get("k"), keys: state.list(), gone: state.delete("k"), context });
       state.reset(); auditNote({ n: 1 }); emit({ told: auditControls().sync_timeout, m: await importValue("m", "m") });
       close(); try { emit({}) } catch (e) { }`,
      {
        files: { "m.js": "export const m = 3;" },
        flags: [
          "--tool=echo",
          "--tool=slow",
          "--max-rss-mb=512",
          "--module=m=m.js",
          '--context-json={"g":2}',
        ],
      },
    );
    expect(run.events).toEqual([
      { r: { a: 1 } },
      { ok: true, tool: "slow", delay_ms: 1, value: null },
      { k: 1, keys: ["k"], gone: true, context: { g: 2 } },
      { told: "enforced", m: 3 },
    ]);
    const types = `tool_call tool_result state_set state_get state_list state_delete state_reset audit_note
      audit_controls module_import module_result revocation revocation_denial`;
    for (const type of types.split(/\s+/)) expect([type, run.of(type).length > 0]).toEqual([type, true]);
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
