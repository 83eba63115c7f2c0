/** The embedded Postgres: PGlite with pgvector in a child process, reached by any Postgres client. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import pg from "pg";
import { endStaleChild, type GuardedChild, startGuardedChild } from "./guardedChild.ts";
import type { Log } from "./log.ts";
import { privateFolder } from "./privateFolder.ts";

const readyDeadlineMs = 90_000;
const readyPollMs = 25;
const stopGraceMs = 3_000;
const socketName = ".s.PGSQL.5432";
/** The kernel's limit for a socket path is 108 bytes with its final NUL. */
const socketPathBytesMax = 107;

export interface EmbeddedPostgres {
  /** For `pg` and for `psql`. Open one connection a process: all share one session. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when the server is gone, wanted or not; says how it ended. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
  /** SIGKILL, for fault tests. */
  kill(): Promise<void>;
}

/**
 * Starts the server under `<home>/postgres`. A server that an earlier life of this home left behind is ended
 * first: two on one data folder would destroy it. Resolves when it answers a query.
 * @param options.program its bundle, where that is not beside this one
 * @throws Error naming the log file when the server does not come up
 */
export async function startPostgres(options: {
  home: string;
  log: Log;
  program?: string;
}): Promise<EmbeddedPostgres> {
  const folder = join(options.home, "postgres");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await endStaleChild(join(folder, "server.pid"), stopGraceMs);
  const socketFolder = postgresSocketFolder(folder, tmpdir());
  privateFolder(socketFolder);
  const { command, args } = serverProgram(options.program);
  const child = await startGuardedChild({
    command,
    args: [...args, join(folder, "data"), join(socketFolder, socketName)],
    cwd: folder,
    logFile: join(folder, "server.log"),
    pidFile: join(folder, "server.pid"),
  });
  const url = `postgresql://postgres@${encodeURIComponent(socketFolder)}/postgres`;
  const failure = await untilReady(child, url);
  if (failure !== null) {
    await child.kill();
    throw new Error(
      `the embedded Postgres did not start (${failure}); its log is ${join(folder, "server.log")}`,
    );
  }
  options.log.info(`Postgres (embedded) on ${socketFolder}, data in ${join(folder, "data")}`);
  return {
    url,
    pid: child.pid,
    exited: child.exited,
    stop: () => child.stop(stopGraceMs),
    kill: () => child.kill(),
  };
}

/**
 * Where the socket lies: in the home, or, when that path is too long for a socket, in a short folder under
 * `temporary` named by a hash of the home.
 */
export function postgresSocketFolder(folder: string, temporary: string): string {
  const near = join(folder, "socket");
  if (Buffer.byteLength(join(near, socketName)) <= socketPathBytesMax) return near;
  return join(temporary, `cazi-pg-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`);
}

/** The bundled program beside this bundle, or, run from source, the source through the development loader. */
function serverProgram(program?: string): { command: string; args: string[] } {
  if (program !== undefined) return { command: process.execPath, args: [program] };
  if (!import.meta.url.endsWith(".ts")) {
    return {
      command: process.execPath,
      args: [fileURLToPath(new URL("./postgresServer.js", import.meta.url))],
    };
  }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const source = fileURLToPath(new URL("./postgresServer.ts", import.meta.url));
  return { command: process.execPath, args: ["--import", loader, source] };
}

async function untilReady(child: GuardedChild, url: string): Promise<string | null> {
  const deadline = performance.now() + readyDeadlineMs;
  let last = "no answer";
  while (performance.now() < deadline) {
    if (child.hasExited()) return child.exited;
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query("SELECT 1");
      return null;
    } catch (error) {
      last = (error as Error).message;
      await pause(readyPollMs);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return last;
}
