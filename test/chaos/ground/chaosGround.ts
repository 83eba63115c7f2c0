/** Servers of a run's own and every role in a process of its own, to be killed, stopped and started again. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Fleet, makeFleet, type RoleProcess } from "../../support/roleProcesses.ts";
import { tempHome } from "../../support/tempHome.ts";
import { waitFor } from "../../support/waitFor.ts";
import { testEngine } from "../../support/withEngine.ts";
import { startTestNats } from "../../support/withNats.ts";
import { startTestPostgres, type TestPostgres } from "../../support/withPostgres.ts";
import { startNatsCluster } from "./natsCluster.ts";
import type { NatsServers } from "./natsServers.ts";

export interface GroundOptions {
  readonly nats: "single" | "cluster";
  /** Each is a `node` process of this name. */
  readonly nodes: readonly string[];
  readonly runtime: "noop" | "docker";
  /** Settings of every role. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ChaosGround {
  readonly nats: NatsServers;
  readonly postgres: TestPostgres;
  readonly fleet: Fleet;
  /** Names of what runs: a role, or `node:<name>`. */
  readonly parts: readonly string[];
  /** The process of a part as it is now. */
  process(part: string): RoleProcess;
  /** SIGKILL, and another one in its place. */
  replace(part: string, env?: Readonly<Record<string, string>>): Promise<void>;
  /** SIGKILL alone. */
  kill(part: string): Promise<void>;
  start(part: string, env?: Readonly<Record<string, string>>): Promise<void>;
  /** Resolves when the API says that it is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

const roles = ["projector", "control-plane", "scheduler", "reactor", "relay", "sinks"] as const;
/** Times of one or two seconds, so that what waits for them is seen. */
const shortEnv = {
  CAZI_LEASE_SECONDS: "2",
  CAZI_BEAT_SECONDS: "0.5",
  CAZI_NODE_OFFLINE_SECONDS: "3",
  CAZI_NODE_LOST_GRACE_SECONDS: "2",
  CAZI_CLAIM_LIMIT_SECONDS: "4",
  CAZI_START_LIMIT_SECONDS: "20",
  CAZI_NODE_SLOTS: "32",
};

export async function openChaosGround(options: GroundOptions): Promise<ChaosGround> {
  const [nats, postgres, engine] = await Promise.all([
    options.nats === "single" ? singleServer() : startNatsCluster(),
    startTestPostgres("native"),
    testEngine(),
  ]);
  const fleet = await makeFleet(
    { nats, databaseUrl: postgres.url, dockerHost: engine.dockerHost },
    {
      ...shortEnv,
      CAZI_NODE_RUNTIME: options.runtime,
      ...(options.nats === "cluster" ? { CAZI_NATS_REPLICAS: "3" } : {}),
      ...options.env,
    },
  );
  const parts = [...roles, ...options.nodes.map((name) => `node:${name}`)];
  const running = new Map<string, RoleProcess>();
  const homes = tempHome();
  const start = async (part: string, env: Readonly<Record<string, string>> = {}) => {
    const [role, node] = part.split(":") as [string, string | undefined];
    // A node keeps marks of what it started in its home: two on one machine have one each.
    const own = node === undefined ? {} : { CAZI_NODE: node, CAZI_HOME: join(homes.path, node) };
    running.set(part, await fleet.serve(role, { ...own, ...env }));
  };
  const kill = async (part: string) => {
    await running.get(part)?.kill();
  };
  const ready = async () => {
    await waitFor(
      "the API to be ready",
      async () => (await fleet.api.request("GET", "/readyz")).status === 200,
      { deadlineMs: 60_000, pollMs: 100 },
    );
  };
  const stop = async () => {
    await fleet.remove();
    homes.remove();
    await Promise.all([nats.stop(), postgres.stop()]);
  };
  try {
    // The streams are made by whoever comes first.
    await start("projector");
    await Promise.all(parts.slice(1).map((part) => start(part)));
    await ready();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    nats,
    postgres,
    fleet,
    parts,
    process: (part) => {
      const found = running.get(part);
      if (found === undefined) throw new Error(`${part} was never started`);
      return found;
    },
    kill,
    start,
    replace: async (part, env) => {
      await kill(part);
      await start(part, env);
    },
    ready,
    stop,
  };
}

async function singleServer(): Promise<NatsServers> {
  const server = await startTestNats();
  return {
    url: server.url,
    credsFile: server.credsFile,
    killOne: async () => {
      await server.kill();
      await pause(100);
      await server.restart();
    },
    stop: () => server.stop(),
  };
}
