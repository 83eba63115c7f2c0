import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AttemptRef } from "../../../../schemas/messages/node.ts";
import type { LogStream } from "../../../../streams/subjects.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { createLog } from "../../../kernel/log.ts";
import { AgentLife } from "../../agentLife.ts";
import { openArtifactFolders } from "../../artifacts/artifactFolders.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import type { AttemptTerms } from "../../ports.ts";
import { openAttemptFiles } from "./attemptFiles.ts";
import { OutputSpool } from "./outputSpool.ts";
import type { ScriptEngine } from "./scriptEngine.ts";
import { ScriptRuntime } from "./scriptRuntime.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cazi-spool-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ref = { task: "t1", attempt: 1, fence: "f1" } as unknown as AttemptRef;

describe("the output of a script on a full disk", () => {
  it("counts nothing that was not kept, and goes on with what is", async () => {
    symlinkSync("/dev/full", join(folder, "stdout"));
    const spool = new OutputSpool(folder, 1_000);
    expect(() => spool.write("stdout", "lost\n")).toThrow("ENOSPC");
    spool.write("stderr", "kept\n");
    spool.end();
    const got: Record<LogStream, string> = { stdout: "", stderr: "" };
    const sink = {
      write: (stream: LogStream, bytes: Uint8Array) => {
        got[stream] += Buffer.from(bytes).toString();
      },
      full: false,
      ready: async () => undefined,
    };
    expect(await spool.follow(sink, { stdout: 0, stderr: 0 }).ended).toBe("eof");
    expect(got).toEqual({ stdout: "", stderr: "kept\n" });
  });

  it("ends the run as one that the node could not run, and not the node", async () => {
    const files = await openAttemptFiles(join(folder, "scripts"));
    mkdirSync(files.folderOf(ref), { recursive: true });
    for (const stream of ["stdout", "stderr"]) symlinkSync("/dev/full", join(files.folderOf(ref), stream));
    const runtime = new ScriptRuntime({
      engine: {
        identity: { name: "test", sha256: "0" },
        tools: [],
        run: async (job) => {
          job.onEvent("{}");
          return { reason: null, message: null, detail: null, head: null };
        },
        close: async () => undefined,
      } satisfies ScriptEngine,
      files,
      artifacts: await openArtifactFolders(join(folder, "artifacts"), 1_000),
      clock: systemClock,
      life: new AgentLife(),
      log: createLog("silent", "test"),
    });
    const spec = { script: { files: [], tools: [] }, environment: {}, resources: {} };
    const terms = { outputBytesMax: 1_000, timeoutMs: 1_000 } as AttemptTerms;
    await runtime.create(ref, spec as unknown as ExecutionSpec, terms);
    await runtime.start(ref);
    expect(await runtime.wait(ref, new AgentLife())).toMatchObject({ exitCode: 70 });
    await runtime.close();
  });
});
