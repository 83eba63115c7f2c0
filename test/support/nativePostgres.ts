/** A private native Postgres cluster: Debian's binaries, fsync on, on a unix socket in a temporary folder. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type GuardedChild, startGuardedChild } from "../../deploy/embedded/guardedChild.ts";
import { tempHome } from "./tempHome.ts";
import { templateFolder } from "./templateFolder.ts";
import { waitFor } from "./waitFor.ts";
import type { TestPostgres } from "./withPostgres.ts";

const systemRoot = "/usr/lib/postgresql";
const stopGraceMs = 5_000;

/** The newest installed server's binaries, or null. */
function nativePostgresBinaries(): string | null {
  if (!existsSync(systemRoot)) return null;
  const versions = readdirSync(systemRoot).filter((name) =>
    existsSync(join(systemRoot, name, "bin", "initdb")),
  );
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(systemRoot, newest, "bin");
}

/** False where it is not installed: tests of the native kind are then skipped. */
export const hasNativePostgres = nativePostgresBinaries() !== null;

/** Postgres refuses to run as root: then its own system user runs it. */
function asDatabaseUser(command: string, args: readonly string[]): { command: string; args: string[] } {
  if (process.getuid?.() !== 0) return { command, args: [...args] };
  return {
    command: "setpriv",
    args: ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--", command, ...args],
  };
}

function runAsDatabaseUser(command: string, args: readonly string[]): void {
  const run = asDatabaseUser(command, args);
  execFileSync(run.command, run.args, { stdio: ["ignore", "ignore", "pipe"], cwd: "/" });
}

async function clusterTemplate(binaries: string): Promise<string> {
  const version = binaries.split("/").at(-2);
  return await templateFolder(`native-${version}`, async (folder) => {
    mkdirSync(folder);
    if (process.getuid?.() === 0) execFileSync("chown", ["postgres:postgres", folder]);
    runAsDatabaseUser(join(binaries, "initdb"), [
      ...[
        "--pgdata",
        folder,
        "--username",
        "postgres",
        "--auth",
        "trust",
        "--encoding",
        "UTF8",
        "--no-locale",
      ],
    ]);
  });
}

/**
 * Starts a cluster with a fresh database `cazi`, logged in as its superuser.
 * @throws Error when no native Postgres is installed
 */
export async function startNativePostgres(): Promise<TestPostgres> {
  const binaries = nativePostgresBinaries();
  if (binaries === null) throw new Error("no native Postgres: apt-get install postgresql-15");
  const template = await clusterTemplate(binaries);
  const home = tempHome();
  chmodSync(home.path, 0o711);
  const data = join(home.path, "data");
  execFileSync("cp", ["-a", template, data]);
  const sockets = join(data, "sockets");
  if (!existsSync(sockets)) runAsDatabaseUser("mkdir", ["-m", "0700", sockets]);
  const urlOf = (database: string) => `postgresql://postgres@${encodeURIComponent(sockets)}/${database}`;
  const start = async () => {
    const child = await startServer(binaries, home.path, data, sockets);
    await waitFor("native Postgres to answer", () => query(urlOf("postgres"), "SELECT 1"), {
      deadlineMs: 30_000,
    });
    return child;
  };
  let server = await start();
  const createDatabase = async (name: string) => {
    await query(urlOf("postgres"), `CREATE DATABASE "${name}"`);
    return urlOf(name);
  };
  const url = await createDatabase("cazi");
  return {
    url,
    kind: "native",
    createDatabase,
    kill: () => server.kill(),
    restart: async () => {
      await server.stop(stopGraceMs);
      server = await start();
    },
    stop: async () => {
      await server.stop(stopGraceMs);
      home.remove();
    },
  };
}

function startServer(binaries: string, home: string, data: string, sockets: string): Promise<GuardedChild> {
  const settings = [
    ...[
      "-c",
      "listen_addresses=",
      "-c",
      `unix_socket_directories=${sockets}`,
      "-c",
      "unix_socket_permissions=0700",
    ],
    ...["-c", "fsync=on", "-c", "shared_buffers=32MB", "-c", "max_connections=60"],
  ];
  return startGuardedChild({
    ...asDatabaseUser(join(binaries, "postgres"), ["-D", data, ...settings]),
    cwd: "/",
    logFile: join(home, "postgres.log"),
    pidFile: join(home, "postgres.pid"),
    // Fast shutdown: the default waits for clients to leave.
    stopSignal: "SIGINT",
  });
}

async function query(url: string, sql: string): Promise<true> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(sql);
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
