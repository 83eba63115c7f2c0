import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { freeLoopbackPort } from "../../../deploy/embedded/freePort.ts";
import { startGuardedChild } from "../../../deploy/embedded/guardedChild.ts";
import { projectRoot } from "../../../services/kernel/projectRoot.ts";
import { tempHome } from "../../support/tempHome.ts";
import { waitFor } from "../../support/waitFor.ts";
import { startTestPostgres } from "../../support/withPostgres.ts";
import { onInterrupt } from "../system/onInterrupt.ts";

export interface PeerServer {
  /** As the peer's program takes it. */
  readonly address: string;
  stop(): Promise<void>;
}

const startDeadlineMs = 60_000;
const stopGraceMs = 5_000;

/** Debian's Redis on a unix socket; each write is on the disk before it is answered. */
export function startRedis(): Promise<PeerServer> {
  return startServer({
    command: "redis-server",
    args: (home) => [
      ...["--port", "0", "--unixsocket", join(home, "socket"), "--dir", home],
      ...["--appendonly", "yes", "--appendfsync", "always", "--save", ""],
    ],
    env: {},
    address: (home) => join(home, "socket"),
    isReady: async (home) => existsSync(join(home, "socket")),
  });
}

/** A native Postgres with fsync on, and a fresh database in it. */
export async function startPeerPostgres(): Promise<PeerServer> {
  const server = await startTestPostgres("native");
  const forget = onInterrupt(() => server.stop());
  return {
    address: server.url,
    stop: async () => {
      forget();
      await server.stop();
    },
  };
}

/** @returns Restate's server for this platform as its package brings it, or null */
export function restateProgram(): string | null {
  const require = createRequire(join(projectRoot, "test/bench/peers/package.json"));
  try {
    const name = `@restatedev/restate-server-${process.platform}-${process.arch}`;
    return require.resolve(`${name}/bin/restate-server`);
  } catch {
    return null;
  }
}

/** One Restate server with its own defaults: its log is synced. */
export async function startRestate(program: string): Promise<PeerServer> {
  const [ingress, admin, node] = [
    await freeLoopbackPort(null),
    await freeLoopbackPort(null),
    await freeLoopbackPort(null),
  ];
  const at = (port: number) => `http://127.0.0.1:${port}`;
  return await startServer({
    command: program,
    args: (home) => ["--no-logo", "--listen-mode", "tcp", "--base-dir", join(home, "data")],
    env: {
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    },
    address: () => JSON.stringify({ ingress: at(ingress), admin: at(admin) }),
    isReady: async () => (await fetch(`${at(admin)}/health`)).ok,
  });
}

async function startServer(of: {
  readonly command: string;
  readonly args: (home: string) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly address: (home: string) => string;
  readonly isReady: (home: string) => Promise<boolean>;
}): Promise<PeerServer> {
  const home = tempHome();
  const child = await startGuardedChild({
    command: of.command,
    args: of.args(home.path),
    cwd: home.path,
    env: { PATH: process.env.PATH ?? "", ...of.env },
    logFile: join(home.path, "server.log"),
    pidFile: join(home.path, "server.pid"),
  });
  const stop = async () => {
    forget();
    await child.stop(stopGraceMs);
    home.remove();
  };
  const forget = onInterrupt(stop);
  try {
    await waitFor(`${of.command} to answer`, async () => child.hasExited() || (await of.isReady(home.path)), {
      deadlineMs: startDeadlineMs,
    });
    if (child.hasExited()) throw new Error(`${of.command} ended: ${await child.exited}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: of.address(home.path), stop };
}
