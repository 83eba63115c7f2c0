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
import { type GroundTimes, groundTimes } from "./groundTimes.ts";
import { startNatsCluster } from "./natsCluster.ts";
import type { NatsServers } from "./natsServers.ts";

export interface GroundOptions {
  /** `small disk`: one server, on a disk of its own that can be filled. */
  readonly nats: "single" | "cluster" | "small disk";
  /** Each is a `node` process of this name. */
  readonly nodes: readonly string[];
  readonly runtime: "noop" | "docker";
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
  /** Done before the servers are ended. */
  onStop(work: () => void): void;
  stop(): Promise<void>;
}

const roles = ["projector", "control-plane", "scheduler", "reactor", "relay", "sinks"] as const;
const slots = { CAZI_NODE_SLOTS: "32" };
const smallDiskMib = 96;

/** @param defaults with the times that a user gets who sets none */
export async function openChaosGround(options: GroundOptions, defaults: boolean): Promise<ChaosGround> {
  const [nats, postgres, engine] = await Promise.all([
    startServers(options.nats),
    startTestPostgres("native"),
    testEngine(),
  ]);
  const times = groundTimes(defaults);
  const fleet = await makeFleet(
    { nats, databaseUrl: postgres.url, dockerHost: engine.dockerHost },
    {
      ...times.env,
      ...slots,
      CAZI_NODE_RUNTIME: options.runtime,
      ...(options.nats === "cluster" ? { CAZI_NATS_REPLICAS: "3" } : {}),
      ...options.env,
    },
  );
  const parts = [...roles, ...options.nodes.map((name) => `node:${name}`)];
  const balancer = openBalancer();
  const api = apiRequests(() => ({ url: "http://balancer", token: fleet.token() }), balancer.fetch);
  const last: (() => void)[] = [() => balancer.close()];
  const processes = processesOf(fleet, balancer, last);
  const ready = async () => {
    await waitFor("the API to be ready", async () => (await api.request("GET", "/readyz")).status === 200, {
      deadlineMs: 60_000,
      pollMs: 100,
    });
  };
  const stop = async () => {
    for (const work of last) work();
    await fleet.remove();
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
  const onStop = (work: () => void) => void last.push(work);
  const own = { nats, postgres, fleet, api, balancer, times, acknowledged: new Set<string>() };
  return { ...own, ...processes, parts, ready, onStop, stop };
}

/** The roles' processes by the names of their parts. */
function processesOf(fleet: Fleet, balancer: Balancer, last: (() => void)[]) {
  const running = new Map<string, RoleProcess>();
  const urls = new Map<string, string>();
  const homes = tempHome();
  last.push(() => homes.remove());
  const found = (part: string) => {
    const one = running.get(part);
    if (one === undefined) throw new Error(`${part} was never started`);
    return one;
  };
  /** What is a process's own: a node keeps marks of what it started in its home, an API has a port. */
  const ownEnv = async (role: string, name: string): Promise<Env> => {
    if (role === "node") return { CAZI_NODE: name, CAZI_HOME: join(homes.path, name) };
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

function startServers(kind: GroundOptions["nats"]): Promise<NatsServers> {
  if (kind === "cluster") return startNatsCluster();
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
