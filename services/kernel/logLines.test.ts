import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../../test/support/waitFor.ts";
import { createFileLog } from "./log.ts";
import { LogLines, waitingBytesMax } from "./logLines.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cazi-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { msg: string; dropped?: number });

describe("a log whose disk is full", () => {
  it("ends nothing, keeps some lines, counts those it drops, and says so once it can write again", async () => {
    const path = join(folder, "cazi.log");
    symlinkSync("/dev/full", path);
    const told: string[] = [];
    const log = createFileLog("info", "up", { path, tell: (text) => told.push(text) });
    log.info("the first");
    await waitFor("word of the failure", () => told.length > 0, { deadlineMs: 20_000 });
    expect(told).toEqual([expect.stringContaining("ENOSPC")]);
    const filler = "x".repeat(64 * 1024);
    for (let n = 0; n < 20; n++) log.info(filler);
    rmSync(path);
    await waitFor("word of the end", () => told.length > 1, { deadlineMs: 20_000 });
    expect(told[1]).toMatch(/is written again; lines that were dropped: \d+/);
    await waitFor("the count in the log", () => linesOf(path).some((line) => line.dropped !== undefined), {
      deadlineMs: 20_000,
    });
    const lines = linesOf(path);
    expect(lines[0]?.msg).toBe("the first");
    const kept = lines.filter((line) => line.msg === filler).length;
    expect(kept).toBe(Math.floor(waitingBytesMax / filler.length) - 1);
    expect(lines.at(-1)?.dropped).toBe(20 - kept);
    expect(told).toHaveLength(2);
  });

  it("is told of once where it is something open, such as standard error", async () => {
    const fd = openSync("/dev/full", "w");
    const failed: string[] = [];
    const lines = new LogLines(
      { fd },
      { failed: ({ message }) => failed.push(message), again: () => failed.push("again") },
    );
    lines.write("one\n");
    await waitFor("word of the failure", () => failed.length > 0, { deadlineMs: 20_000 });
    lines.write("two\n");
    lines.flush();
    expect(failed).toEqual([expect.stringContaining("ENOSPC")]);
    closeSync(fd);
  });
});
