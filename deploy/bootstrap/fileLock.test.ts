import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tryLock } from "./fileLock.mjs";
import { identityOf } from "./processIdentity.mjs";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cazi-lock-"));
  path = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a file lock", () => {
  it("is refused while a living process holds it, and free after its release", () => {
    const first = tryLock(path);
    expect(tryLock(path)).toEqual({ heldBy: identityOf(process.pid) });
    if ("release" in first) first.release();
    expect(tryLock(path)).toHaveProperty("release");
  });

  it("is taken over when its holder's pid now belongs to another process", () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: "another.life", nonce: "n" }));
    expect(tryLock(path)).toHaveProperty("release");
    expect(tryLock(path)).toHaveProperty("heldBy.pid", process.pid);
  });

  it("is taken over when its holder is gone or its file is torn", () => {
    for (const left of [JSON.stringify({ pid: 2 ** 22 + 1, started: "x", nonce: "n" }), "{tor", ""]) {
      writeFileSync(path, left);
      const outcome = tryLock(path);
      expect(outcome).toHaveProperty("release");
      if ("release" in outcome) outcome.release();
    }
  });

  it("leaves nothing behind but the lock", () => {
    writeFileSync(path, "{tor");
    tryLock(path);
    tryLock(path);
    expect(readdirSync(folder)).toEqual(["lock"]);
  });
});
