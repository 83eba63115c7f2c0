/** The system under test, as a person starts it: `cazi up` in a process of its own, on a home of its own. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type GuardedChild, startGuardedChild } from "../../../deploy/embedded/guardedChild.ts";
import { natsIdentities } from "../../../deploy/embedded/natsIdentities.ts";
import { projectRoot } from "../../../services/kernel/projectRoot.ts";
import { tempHome } from "../../support/tempHome.ts";
import { waitFor } from "../../support/waitFor.ts";
import { copyClusterInto, type PostgresKind, startTestPostgres } from "../../support/withPostgres.ts";
import type { WatchedProcess } from "./cpuTimes.ts";
import { onInterrupt } from "./onInterrupt.ts";

const startDeadlineMs = 90_000;
const stopGraceMs = 20_000;

export interface UpOptions {
  readonly postgres: PostgresKind;
  /** Settings besides home, port, instance and database. */
  readonly settings: Readonly<Record<string, string>>;
  /** Arguments of Node before the program, e.g. `--cpu-prof`. */
  readonly nodeArgs: readonly string[];
  /** Another build than the one in dist/, to compare two. */
  readonly program: string | null;
}

export interface RunningUp {
  readonly url: string;
  readonly token: string;
  /** Name on its containers. */
  readonly instance: string;
  readonly nats: { readonly url: string; readonly credsFile: string };
  /** By what it is: `cazi`, `nats`, `postgres`. */
  readonly processes: Readonly<Record<string, WatchedProcess>>;
  /** From the start of the process to `ready`. */
  readonly startMs: number;
  /** Ends it and starts it again on the same home. */
  restart(): Promise<RunningUp>;
  /** Ends it and removes all it kept. */
  stop(): Promise<void>;
}

/** Starts it with servers of its own; nothing of a default home, port or instance is touched. */
export async function startUp(options: UpOptions): Promise<RunningUp> {
  const home = tempHome();
  const database = options.postgres === "native" ? await startTestPostgres("native") : null;
  if (database === null) await copyClusterInto(home.path);
  const env = {
    PATH: process.env.PATH ?? "",
    TMPDIR: process.env.TMPDIR ?? "/tmp",
    CAZI_HOME: home.path,
    CAZI_PORT: "0",
    CAZI_LOG_LEVEL: "warn",
    ...(database === null ? {} : { DATABASE_URL: database.url }),
    ...options.settings,
  };
  const remove = async () => {
    forget();
    await database?.stop();
    home.remove();
  };
  let running: GuardedChild | null = null;
  const forget = onInterrupt(async () => {
    await running?.stop(stopGraceMs);
    await remove();
  });
  const start = async (): Promise<RunningUp> => {
    const began = performance.now();
    const child = await startGuardedChild({
      command: process.execPath,
      args: [...options.nodeArgs, options.program ?? join(projectRoot, "dist", "cazi.js"), "up"],
      cwd: home.path,
      env,
      logFile: join(home.path, "up.log"),
      pidFile: join(home.path, "up.pid"),
      stopSignal: "SIGINT",
    });
    running = child;
    try {
      const isOver = () => child.hasExited() || existsSync(join(home.path, "url"));
      await waitFor("cazi up to be ready", isOver, { deadlineMs: startDeadlineMs, pollMs: 5 });
      mustRun(home.path, child);
    } catch (error) {
      await child.kill();
      await remove();
      throw error;
    }
    const startMs = performance.now() - began;
    const end = () => child.stop(stopGraceMs);
    return {
      ...(await addresses(home.path)),
      startMs,
      processes: {
        cazi: { pid: child.pid, withChildren: false },
        nats: { pid: notedPid(join(home.path, "nats/server.pid")), withChildren: false },
        postgres:
          database === null
            ? { pid: notedPid(join(home.path, "postgres/server.pid")), withChildren: false }
            : { pid: postmasterOf(database.url), withChildren: true },
      },
      restart: async () => {
        await end();
        return await start();
      },
      stop: async () => {
        await end();
        await remove();
      },
    };
  };
  return await start();
}

/** @throws Error when it ended instead */
function mustRun(home: string, child: GuardedChild): void {
  if (child.hasExited())
    throw new Error(`cazi up ended:\n${readFileSync(join(home, "up.log"), "utf8").slice(-4_000)}`);
}

async function addresses(home: string) {
  const read = (name: string) => readFileSync(join(home, name), "utf8").trim();
  const { credsFile } = await natsIdentities(join(home, "nats/keys"));
  const nats = { url: `nats://127.0.0.1:${read("nats/port")}`, credsFile };
  return { url: read("url"), token: read("token"), instance: read("instance"), nats };
}

function notedPid(file: string): number {
  return (JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid;
}

/** The sockets of the native cluster lie in its data folder, beside the pid of its first process. */
function postmasterOf(url: string): number {
  const sockets = decodeURIComponent(new URL(url).hostname);
  return Number(readFileSync(join(sockets, "..", "postmaster.pid"), "utf8").split("\n")[0]);
}
