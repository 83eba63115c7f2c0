/**
 * A Docker engine: the one that was named, one that answers, or one started here.
 *
 * An engine started here uses the machine's ordinary places (socket, data, pid file), so that `docker ps` shows
 * what runs, images already there are found, and two engines can never fight over the bridge: the pid file
 * refuses the second. It is a session of its own, adopted by init, with live-restore: neither Ctrl-C nor a
 * kill -9 of this process tree ends it, nor what it runs.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { waitForLock } from "../bootstrap/fileLock.mjs";
import { identityOf, isAlive } from "../bootstrap/processIdentity.mjs";
import { engineAddress, engineSilence } from "./engineRequest.ts";
import { findProgram, systemFolders } from "./findProgram.ts";
import type { Log } from "./log.ts";
import { writeFileWhole } from "./writeFileWhole.ts";

const defaultSocket = "/var/run/docker.sock";
const lockPath = "/run/cazi-engine.lock";
/** Who the engine started here is, so that later starts can say that it is one. */
const identityPath = "/run/cazi-engine.json";
const logPath = "/var/log/cazi-engine.log";
const daemonConfigPath = "/etc/docker/daemon.json";
const startDeadlineMs = 45_000;
const startPollMs = 100;
const lockWaitMs = 60_000;

export type EngineOutcome =
  /** In the form of `DOCKER_HOST`. */
  | { readonly dockerHost: string; readonly startedByUs: boolean }
  /** One sentence: what is missing and what to do. */
  | { readonly unavailable: string };

/**
 * Finds or starts an engine. Never throws for a missing one: tasks then wait with that reason.
 * @param options.config.dockerHost `DOCKER_HOST`, or "" for none
 * @param options.env the environment an engine started here gets
 */
export async function ensureEngine(options: {
  config: { dockerHost: string };
  env: Readonly<Record<string, string | undefined>>;
  log: Log;
}): Promise<EngineOutcome> {
  const { dockerHost } = options.config;
  if (dockerHost !== "") return await namedEngine(dockerHost);
  const found = await answeringEngine();
  if (found !== null) return found;
  const dockerd = findProgram("dockerd", options.env.PATH ?? "");
  const refusal = whyNotStart(dockerd);
  if (refusal !== null) return { unavailable: refusal };
  try {
    const lock = await waitForLock(lockPath, { waitMs: lockWaitMs });
    try {
      return (await answeringEngine()) ?? (await startEngine(options.env, options.log));
    } finally {
      lock.release();
    }
  } catch (error) {
    return { unavailable: `the Docker engine could not be started: ${(error as Error).message}` };
  }
}

async function namedEngine(dockerHost: string): Promise<EngineOutcome> {
  if (engineAddress(dockerHost) === null) {
    return { unavailable: `DOCKER_HOST is ${dockerHost}; use a unix:// or tcp:// address` };
  }
  const silence = await engineSilence(dockerHost);
  if (silence === null) return { dockerHost, startedByUs: false };
  return {
    unavailable: `DOCKER_HOST names ${dockerHost}, which does not answer (${silence.message}); start that engine or unset DOCKER_HOST`,
  };
}

/** The machine's engine, a rootless one of this user, or Docker Desktop's. */
async function answeringEngine(): Promise<EngineOutcome | null> {
  const uid = process.getuid?.() ?? 0;
  const sockets = [defaultSocket, `/run/user/${uid}/docker.sock`, `${homedir()}/.docker/run/docker.sock`];
  for (const socket of sockets.filter((path) => existsSync(path))) {
    const dockerHost = `unix://${socket}`;
    const silence = await engineSilence(dockerHost);
    if (silence === null) return { dockerHost, startedByUs: isEngineOfOurs() };
    if (silence.code === "EACCES") {
      return {
        unavailable: `this user may not use the Docker engine at ${socket}; run \`sudo usermod -aG docker $USER\` and log in again`,
      };
    }
  }
  return null;
}

function whyNotStart(dockerd: string | null): string | null {
  if (process.platform !== "linux") {
    return "no Docker engine answers; containers need one: start Docker Desktop, or set DOCKER_HOST";
  }
  if (dockerd === null) {
    return "no Docker engine is installed; containers need one: run `sudo apt-get install docker.io`, or set DOCKER_HOST";
  }
  if (process.getuid?.() !== 0) {
    return "no Docker engine answers, and only root may start one; run `sudo systemctl start docker`, or set DOCKER_HOST";
  }
  return null;
}

async function startEngine(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<EngineOutcome> {
  log.info("Starting a Docker engine, because none answers and containers need one");
  const path = [env.PATH ?? "", ...systemFolders].join(":");
  // With systemd the machine's own service is the engine; elsewhere it is a daemon of init's.
  const managed = existsSync("/run/systemd/system") && existsSync("/lib/systemd/system/docker.service");
  const pid = managed ? await startService(path) : await startDaemon({ ...env, PATH: path });
  const dockerHost = `unix://${defaultSocket}`;
  const deadline = performance.now() + startDeadlineMs;
  while (performance.now() < deadline) {
    if ((await engineSilence(dockerHost)) === null) {
      log.info(
        managed
          ? "Docker engine started (docker.service)"
          : `Docker engine started, process ${pid}, log ${logPath}`,
      );
      return { dockerHost, startedByUs: !managed };
    }
    if (pid !== null && identityOf(pid) === null) {
      return { unavailable: `the Docker engine ended at once (${lastLogLine()}); its log is ${logPath}` };
    }
    await pause(startPollMs);
  }
  return {
    unavailable: `the Docker engine does not answer after ${startDeadlineMs / 1000} s; its log is ${logPath}`,
  };
}

/** @returns null: the service manager knows its process */
function startService(path: string): Promise<null> {
  return new Promise((resolve, reject) => {
    const child = spawn("systemctl", ["start", "docker"], { env: { PATH: path }, stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", () => resolve(null));
  });
}

function startDaemon(env: Readonly<Record<string, string | undefined>>): Promise<number> {
  removeForeignPidFile("/run/docker.pid", "dockerd");
  removeForeignPidFile("/run/docker/containerd/containerd.pid", "containerd");
  // The shell ends at once, so that init adopts the engine: no tree of ours holds it.
  const script = 'log=$1; shift; dockerd "$@" </dev/null >>"$log" 2>&1 & echo $!';
  return new Promise((resolve, reject) => {
    const shell = spawn("/bin/sh", ["-c", script, "sh", logPath, ...daemonFlags()], {
      env: { ...env },
      cwd: "/",
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    shell.stdout.on("data", (data) => {
      output += data;
    });
    shell.once("error", reject);
    shell.once("close", () => {
      const pid = Number(output.trim());
      const identity = identityOf(pid);
      if (identity !== null) writeFileWhole(identityPath, JSON.stringify(identity));
      resolve(pid);
    });
  });
}

/** A flag that the machine's own configuration sets as well would be refused. */
function daemonFlags(): readonly string[] {
  const config = existsSync(daemonConfigPath) ? readFileSync(daemonConfigPath, "utf8") : "";
  return config.includes('"live-restore"') ? [] : ["--live-restore"];
}

/** After a kill -9 the pid in the file may belong to another program, and the engine would refuse to start. */
function removeForeignPidFile(path: string, program: string): void {
  try {
    const pid = readFileSync(path, "utf8").trim();
    const running = existsSync(`/proc/${pid}/comm`) ? readFileSync(`/proc/${pid}/comm`, "utf8").trim() : "";
    if (running !== program) rmSync(path, { force: true });
  } catch {}
}

function isEngineOfOurs(): boolean {
  try {
    return isAlive(JSON.parse(readFileSync(identityPath, "utf8")));
  } catch {
    return false;
  }
}

function lastLogLine(): string {
  try {
    return readFileSync(logPath, "utf8").trimEnd().split("\n").at(-1) ?? "";
  } catch {
    return "no log";
  }
}
