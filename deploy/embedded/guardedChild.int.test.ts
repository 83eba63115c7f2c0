import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TempHome, tempHome } from "../../test/support/tempHome.ts";
import { identityOf, isAlive, type ProcessIdentity } from "../bootstrap/processIdentity.mjs";
import { endStaleChild, startGuardedChild } from "./guardedChild.ts";

let home: TempHome;
let bystander: ChildProcess;
let identity: ProcessIdentity;
beforeEach(() => {
  home = tempHome();
  bystander = spawn("sleep", ["600"], { stdio: "ignore" });
  const found = identityOf(bystander.pid ?? 0);
  if (found === null) throw new Error("sleep did not start");
  identity = found;
});
afterEach(() => {
  bystander.kill("SIGKILL");
  home.remove();
});

describe("a child of an earlier life", () => {
  it("is ended when it still runs", async () => {
    const pidFile = join(home.path, "pid");
    writeFileSync(pidFile, JSON.stringify(identity));
    await endStaleChild(pidFile, 2_000);
    expect(isAlive(identity)).toBe(false);
  });

  it("is not taken for another process that has its pid now", async () => {
    const pidFile = join(home.path, "pid");
    writeFileSync(pidFile, JSON.stringify({ ...identity, started: "another.life" }));
    await endStaleChild(pidFile, 2_000);
    expect(isAlive(identity)).toBe(true);
  });
});

describe("a guarded child", () => {
  const options = () => ({
    cwd: home.path,
    logFile: join(home.path, "log"),
    pidFile: join(home.path, "pid"),
  });

  it("says how it ended when nobody asked it to", async () => {
    const child = await startGuardedChild({ ...options(), command: "sh", args: ["-c", "exit 7"] });
    expect(await child.exited).toBe("ended with code 7");
  });

  it("does not run where a full disk cannot take its pid", async () => {
    const script = "echo $$; exec sleep 600";
    const starting = startGuardedChild({
      ...options(),
      pidFile: "/dev/full",
      command: "sh",
      args: ["-c", script],
    });
    await expect(starting).rejects.toThrow("ENOSPC");
    const pid = Number(readFileSync(options().logFile, "utf8"));
    expect(pid > 0 && identityOf(pid) !== null).toBe(false);
  });

  it("is killed when it ignores the request to end", async () => {
    const script = "trap '' TERM; while true; do sleep 1; done";
    const child = await startGuardedChild({ ...options(), command: "sh", args: ["-c", script] });
    await child.stop(300);
    expect(await child.exited).toMatch(/^ended by SIG(KILL|TERM)$/);
  });
});
