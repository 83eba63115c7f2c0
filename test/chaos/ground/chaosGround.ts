/** Servers of a run's own and every role in a process of its own, to be killed, stopped and started again. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freeLoopbackPort } from "../../../deploy/embedded/freePort.ts";
import { type ApiRequests, apiRequests } from "../../support/apiRequests.ts";
import type { Env } from "../../support/product.ts";
import { type Fleet, makeFleet, type RoleProcess } from "../../support/roleProcesses.ts";
import { type SmallDisk, smallDisk } from "../../support/smallDisk.ts";
import { tempHome } from "../../support/tempHome.ts";
import { waitFor } from "../../support/waitFor.ts";
import { testEngine } from "../../support/withEngine.ts";
import { startTestNats } from "../../support/withNats.ts";
import { startTestPostgres, type TestPostgres } from "../../support/withPostgres.ts";
import { type Balancer, openBalancer } from "./balancer.ts";
import { type EngineGate, openEngineGate } from "./engineGate.ts";
import { type GroundTimes, groundTimes } from "./groundTimes.ts";
import { type MessageGate, openMessageGate } from "./messageGate.ts";
import { startNatsCluster } from "./natsCluster.ts";
import type { NatsServers } from "./natsServers.ts";

export interface GroundOptions {
  /** `small disk`: one server, on a disk of its own that can be filled. */
  readonly nats: "single" | "cluster" | "small disk";
  /** Each is a `node` process of this name, for what is submitted as load. */
  readonly nodes: readonly string[];
  readonly runtime: "noop" | "docker";
  /** One more, on the engine itself, whose requests go through {@link ChaosGround.engine}; it takes what names it. */
  readonly containerNode?: string;
  /** Settings of every role. */
  readonly env?: Env;
}

export interface ChaosGround {
  readonly nats: NatsServers;
  readonly postgres: TestPostgres;
  readonly fleet: Fleet;
  /** Whichever API is ready: what is asked goes through {@link ChaosGround.balancer}. */
  readonly api: ApiRequests;
  readonly balancer: Balancer;
  /** Between roles and a single NATS server. */
  readonly messages: MessageGate | null;
  /** Between the node of containers and its engine. */
  readonly engine: EngineGate | null;
  readonly times: GroundTimes;
  /** Ids of all tasks that were acknowledged on it, whatever fault they were submitted under. */
  readonly acknowledged: Set<string>;
  /** Names of what runs from the start: a role, or `node:<name>`. A second process of a role is `<role>:<name>`. */
  readonly parts: readonly string[];
  /** The process of a part as it is now. */
  process(part: string): RoleProcess;
  /** Where a control plane answers, past the balancer. */
  urlOf(part: string): string;
  /** SIGKILL, and another one in its place. */
  replace(part: string, env?: Env): Promise<void>;
  /** SIGKILL alone. */
  kill(part: string): Promise<void>;
  /** SIGTERM; resolves when it has ended. @throws Error unless it ended in good order */
  end(part: string): Promise<void>;
  start(part: string, env?: Env): Promise<void>;
  /** Resolves when the API says that it is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

const roles = ["projector", "control-plane", "scheduler", "reactor", "relay", "sinks"] as const;
const settings = {
  CAZI_NODE_SLOTS: "32",
  // What a load balancer needs to hear that an API is about to end.
  CAZI_DRAIN_SECONDS: "2",
};
const smallDiskMib = 96;
/** Of nodes that take what is submitted as load. */
export const loadTag = "load";

/** What holds for each ground of a run. */
export interface RunOptions {
  /** With the times that a user gets who sets none. */
  readonly defaults: boolean;
  /** The nats-server that clusters are made of; the one that is installed if undefined. */
  readonly clusterServer?: string;
}

export async function openChaosGround(
  options: GroundOptions,
  { defaults, clusterServer }: RunOptions,
): Promise<ChaosGround> {
  const [nats, postgres, engine] = await Promise.all([
    startServers(options.nats, clusterServer),
    startTestPostgres("native"),
    testEngine(),
  ]);
  const times = groundTimes(defaults);
  const messages = options.nats === "cluster" ? null : await openMessageGate(nats.url);
  const { containerNode } = options;
  const engineGate = containerNode === undefined ? null : await openEngineGate(engine.dockerHost);
  const fleet = await makeFleet(
    {
      nats: { ...nats, url: messages?.url ?? nats.url },
      databaseUrl: postgres.url,
      dockerHost: engine.dockerHost,
    },
    {
      ...times.env,
      ...settings,
      CAZI_NODE_RUNTIME: options.runtime,
      ...(options.nats === "cluster" ? { CAZI_NATS_REPLICAS: "3" } : {}),
      ...options.env,
    },
  );
  const parts = [...roles, ...options.nodes.map((name) => `node:${name}`)];
  if (containerNode !== undefined) parts.push(`node:${containerNode}`);
  const balancer = openBalancer();
  const api = apiRequests(() => ({ url: "http://balancer", token: fleet.token() }), balancer.fetch);
  const homes = tempHome();
  const processes = processesOf(fleet, balancer, (name) => ({
    CAZI_NODE: name,
    CAZI_HOME: join(homes.path, name),
    ...(name === containerNode
      ? { CAZI_NODE_RUNTIME: "docker", CAZI_NODE_SLOTS: "1", DOCKER_HOST: engineGate!.dockerHost }
      : { CAZI_NODE_TAGS: loadTag }),
  }));
  const ready = async () => {
    await waitFor("the API to be ready", async () => (await api.request("GET", "/readyz")).status === 200, {
      deadlineMs: 60_000,
      pollMs: 100,
    });
  };
  const stop = async () => {
    balancer.close();
    await fleet.remove();
    messages?.close();
    engineGate?.close();
    homes.remove();
    await Promise.all([nats.stop(), postgres.stop()]);
  };
  try {
    // The streams are made by whoever comes first.
    await processes.start("projector");
    await Promise.all(parts.slice(1).map((part) => processes.start(part)));
    await ready();
  } catch (error) {
    await stop();
    throw error;
  }
  const gates = { balancer, messages, engine: engineGate };
  const own = { nats, postgres, fleet, api, times, acknowledged: new Set<string>() };
  return { ...own, ...gates, ...processes, parts, ready, stop };
}

/**
 * The roles' processes by the names of their parts.
 * @param nodeEnv what is a node's own: it keeps marks of what it started in its home
 */
function processesOf(fleet: Fleet, balancer: Balancer, nodeEnv: (name: string) => Env) {
  const running = new Map<string, RoleProcess>();
  const urls = new Map<string, string>();
  const found = (part: string) => {
    const one = running.get(part);
    if (one === undefined) throw new Error(`${part} was never started`);
    return one;
  };
  const ownEnv = async (role: string, name: string): Promise<Env> => {
    if (role === "node") return nodeEnv(name);
    if (role !== "control-plane") return {};
    const url = urls.get(name) ?? `http://127.0.0.1:${await freeLoopbackPort(null)}`;
    urls.set(name, url);
    balancer.add(url);
    return { CAZI_PORT: new URL(url).port };
  };
  const start = async (part: string, env: Env = {}) => {
    const [role, name = ""] = part.split(":") as [string, string?];
    running.set(part, await fleet.serve(role, { ...(await ownEnv(role, name)), ...env }));
  };
  const kill = async (part: string) => {
    await running.get(part)?.kill();
  };
  return {
    process: found,
    urlOf: (part: string) => urls.get(part.split(":")[1] ?? "")!,
    start,
    kill,
    end: async (part: string) => {
      const { program } = found(part);
      program.child.kill("SIGTERM");
      const { exit } = await program.done;
      if (exit !== 0) throw new Error(`${part} ended with ${exit}\n${program.text()}`);
    },
    replace: async (part: string, env?: Env) => {
      await kill(part);
      await start(part, env);
    },
  };
}

function startServers(kind: GroundOptions["nats"], clusterServer?: string): Promise<NatsServers> {
  if (kind === "cluster") return startNatsCluster(clusterServer);
  return singleServer(kind === "small disk" ? smallDisk(smallDiskMib) : null);
}

async function singleServer(disk: SmallDisk | null): Promise<NatsServers> {
  const server = await startTestNats(disk?.path);
  return {
    url: server.url,
    credsFile: server.credsFile,
    ...(disk === null ? {} : { disk }),
    killOne: async () => {
      await server.kill();
      await pause(100);
      await server.restart();
    },
    stop: async () => {
      await server.stop();
      disk?.remove();
    },
  };
}
