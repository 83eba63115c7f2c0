/**
 * Child processes that die with their parent, whatever ends it. A shell starts a watcher and then becomes the
 * program (`exec`, so the pid is the program's own). The watcher reads a pipe whose other end only this process
 * holds: when it closes, on exit or on kill -9, the watcher kills the program.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { identityOf, isAlive, type ProcessIdentity } from "../bootstrap/processIdentity.mjs";

const guardScript = `exec 3<&0; ( read -r _ <&3; kill -KILL $$ ) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null`;
const termPollMs = 20;
const logBytesMax = 4 * 1024 * 1024;

export interface GuardedChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its stdout and stderr are appended here; over 4 MiB at a start, the old one is kept as `<logFile>.1`. */
  readonly logFile: string;
  /** Where pid and start time are noted, so that the next start finds one that outlived its parent. */
  readonly pidFile: string;
  /** What asks it to end; SIGTERM unless given. */
  readonly stopSignal?: NodeJS.Signals;
}

export interface GuardedChild {
  readonly pid: number;
  /** Resolves when the process is gone; says how it ended. */
  readonly exited: Promise<string>;
  hasExited(): boolean;
  /** The stop signal, and SIGKILL when it has not ended after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** SIGKILL, for fault tests. */
  kill(): Promise<void>;
}

/**
 * Starts a program that cannot outlive this process. It gets a session of its own, so that a Ctrl-C in the
 * terminal reaches only the parent, which ends its children in order.
 */
export async function startGuardedChild(options: GuardedChildOptions): Promise<GuardedChild> {
  const out = openLog(options.logFile);
  const child = spawn("/bin/sh", ["-c", guardScript, "sh", options.command, ...options.args], {
    cwd: options.cwd,
    env: { ...(options.env ?? process.env) },
    detached: true,
    stdio: ["pipe", out, out],
  });
  closeSync(out);
  const exited = exitOf(child);
  child.stdin?.on("error", () => {});
  const pid = child.pid;
  if (pid === undefined) throw new Error(await exited);
  try {
    notePid(options.pidFile, pid);
  } catch (error) {
    // One that nobody knows of would hold its data folder against the next start.
    child.kill("SIGKILL");
    await exited;
    throw error;
  }
  let gone = false;
  void exited.then(() => {
    gone = true;
    rmSync(options.pidFile, { force: true });
  });
  return {
    pid,
    exited,
    hasExited: () => gone,
    stop: async (graceMs) => {
      if (gone) return;
      child.kill(options.stopSignal ?? "SIGTERM");
      const timer = new AbortController();
      await Promise.race([exited, pause(graceMs, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
      if (!gone) child.kill("SIGKILL");
      await exited;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function openLog(path: string): number {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > logBytesMax) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
}

function notePid(path: string, pid: number): void {
  const identity = identityOf(pid);
  if (identity !== null) writeFileSync(path, JSON.stringify(identity), { mode: 0o600 });
}

/**
 * Ends a child that an earlier life of this home left behind, if it still runs. A pid that now belongs to
 * another process is left alone.
 */
export async function endStaleChild(pidFile: string, graceMs: number): Promise<void> {
  const identity = readIdentity(pidFile);
  if (identity !== null && isAlive(identity)) {
    process.kill(identity.pid, "SIGTERM");
    const deadline = performance.now() + graceMs;
    while (isAlive(identity) && performance.now() < deadline) await pause(termPollMs);
    if (isAlive(identity)) process.kill(identity.pid, "SIGKILL");
    while (isAlive(identity)) await pause(termPollMs);
  }
  rmSync(pidFile, { force: true });
}

function readIdentity(path: string): ProcessIdentity | null {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Partial<ProcessIdentity>;
    return typeof value.pid === "number" && typeof value.started === "string"
      ? { pid: value.pid, started: value.started }
      : null;
  } catch {
    return null;
  }
}
