import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXIT } from "./exitCodes.ts";

const loader = createRequire(import.meta.url).resolve("tsx");
const main = join(import.meta.dirname, "main.ts");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cazi-full-"));
  writeFileSync(join(folder, "a.js"), "emit({ a: 1 }); emit({ a: 2 }); close();");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program with one of its outputs on a device that is full. */
async function runWithFull(stream: "stdout" | "stderr") {
  const full = openSync("/dev/full", "w");
  const log = join(folder, `${stream}.jsonl`);
  const stdio = stream === "stdout" ? ["ignore", full, "pipe"] : ["ignore", "pipe", full];
  const child = spawn(process.execPath, ["--import", loader, main, "run", "a.js", `--audit-log=${log}`], {
    cwd: folder,
    stdio: stdio as ["ignore", number, "pipe"],
  });
  let text = "";
  (child.stdout ?? child.stderr)?.on("data", (bytes: Buffer) => {
    text += bytes.toString();
  });
  const [code] = (await once(child, "close")) as [number];
  closeSync(full);
  const records = readFileSync(log, "utf8").trimEnd().split("\n");
  return { code, text, lastRecord: JSON.parse(records.at(-1)!) as { type: string } };
}

describe("an output that is on a full disk", () => {
  it("does not end a run before its end, and is told by 74 where it is the program's own", async () => {
    const [stdout, stderr] = await Promise.all([runWithFull("stdout"), runWithFull("stderr")]);
    expect(stdout.code).toBe(EXIT.io);
    expect(stdout.lastRecord).toMatchObject({ type: "run_end" });
    expect(stdout.text).toMatch(/^standard output cannot be written: .*ENOSPC/);
    expect(stderr).toMatchObject({ code: 0, lastRecord: { type: "run_end" }, text: '{"a":1}\n{"a":2}\n' });
  });
});
