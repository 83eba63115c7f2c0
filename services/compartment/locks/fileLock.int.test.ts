import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder } from "../testing/runProgram.ts";
import { takeFileLock } from "./fileLock.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

describe("a file lock", () => {
  it("has one holder, and is free after its release", () => {
    const path = join(folder, "a");
    const release = takeFileLock(path);
    expect(release).not.toBeNull();
    expect(takeFileLock(path)).toBeNull();
    release!();
    const again = takeFileLock(path);
    expect(again).not.toBeNull();
    again!();
    expect(existsSync(path)).toBe(false);
  });

  it("is taken over from a process that is gone, and from a reused process id", () => {
    const path = join(folder, "b");
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 - 3, started: "1" }));
    takeFileLock(path)!();
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: "1" }));
    takeFileLock(path)!();
  });
});
