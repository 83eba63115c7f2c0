import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../services/kernel/clock.ts";
import type { Config } from "../../services/kernel/config.ts";
import { Rejection } from "../../services/kernel/errors.ts";
import type { Log } from "../../services/kernel/log.ts";
import { asNatsError } from "../../services/kernel/nats/natsError.ts";
import type { DatabasePool } from "../../services/kernel/postgres/openPool.ts";
import type { Role } from "../../services/kernel/roles.ts";
import { keptToken } from "../homeFiles.ts";
import { watchRoles } from "./metrics/watchRoles.ts";
import { openGround } from "./openGround.ts";
import type { Ground, RunningRole } from "./roles/role.ts";
import { untilReachable } from "./untilReachable.ts";

export interface ServeOptions {
  readonly config: Config;
  readonly given: ReadonlySet<keyof Config>;
  readonly clock: Clock;
  readonly log: Log;
  /** Prints to the person at the terminal. */
  readonly say: (text: string) => void;
}

/**
 * Runs one role against servers that are there, until SIGINT or SIGTERM. Any number of processes may serve the
 * same role: leases and compare-and-set decide between them.
 * @throws Rejection `SETTING_MISSING`, `PORT_TAKEN`, `NATS_REFUSED`, `NATS_CREDS_UNREADABLE`; Retryable
 *   `NATS_UNAVAILABLE`, `DATABASE_UNAVAILABLE`
 */
export async function serveRole(role: Role, options: ServeOptions): Promise<void> {
  try {
    await serve(role, options);
  } catch (error) {
    throw asNatsError(error);
  }
}

async function serve(role: Role, options: ServeOptions): Promise<void> {
  const { config, clock, log } = options;
  require(config.natsUrl, "NATS_URL", role);
  if (role === "node") {
    const { serveNode } = await import("./serveNode.ts");
    return untilEnded(role, await serveNode(options), options);
  }
  // Before the connections: loading holds the process up, and they have deadlines.
  const start = await load(role, options);
  const pool = needsPostgres(role) ? await openDatabase(options, role) : null;
  const ground = await openGround({
    config,
    clock,
    log,
    tell: options.say,
    nats: { url: config.natsUrl, credsFile: config.natsCreds },
    home: "",
  });
  if (pool !== null) {
    const { migrate } = await import("../../services/kernel/postgres/migrate.ts");
    await untilReachable(() => migrate(pool), { clock, log, tell: options.say });
  }
  const running = await start(ground, pool);
  const probes = await watchRoles(ground, [running]);
  if (probes !== null) options.say(`metrics and probes at ${probes.url}`);
  const stop = async () => {
    await probes?.stop();
    await running.stop();
    await ground.stop();
    await pool?.end();
  };
  await untilEnded(role, { ...running, stop }, options);
}

async function untilEnded(role: Role, running: RunningRole, { say, config }: ServeOptions): Promise<void> {
  say(`serving ${role}${"url" in running ? ` at ${running.url}` : ""}`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  say(`ending ${role}`);
  if (running.drain !== undefined && config.drainMs > 0) {
    running.drain();
    // A second signal ends the wait.
    await Promise.race([pause(config.drainMs), once(process, "SIGINT"), once(process, "SIGTERM")]);
  }
  await running.stop();
}

type Start = (ground: Ground, pool: DatabasePool | null) => Promise<RunningRole> | RunningRole;

/** Loads what this role needs: a reactor has no use for the web server's modules, which take longest to load. */
async function load(role: Exclude<Role, "node">, { config, given }: ServeOptions): Promise<Start> {
  switch (role) {
    case "control-plane": {
      const { controlPlaneRole } = await import("./roles/controlPlane.ts");
      return (ground, pool) =>
        controlPlaneRole(ground, {
          pool: pool!,
          adminToken: keptToken(config.home).token,
          listen: { host: config.host, port: config.port },
          portFixed: given.has("port"),
          bridgeGateway: null,
          beside: [],
        });
    }
    case "projector": {
      const { projectorRole } = await import("./roles/projector.ts");
      return (ground, pool) => projectorRole(ground, pool!);
    }
    case "scheduler":
      return (await import("./roles/scheduler.ts")).schedulerRole;
    case "reactor": {
      const { reactorRole } = await import("./roles/reactor.ts");
      return (ground) => reactorRole(ground);
    }
    case "relay":
      return (await import("./roles/relay.ts")).relayRole;
    case "sinks":
      return (await import("./roles/sinks.ts")).sinksRole;
  }
}

function needsPostgres(role: Role): boolean {
  return role === "control-plane" || role === "projector";
}

async function openDatabase({ config, log }: ServeOptions, role: Role): Promise<DatabasePool> {
  require(config.databaseUrl, "DATABASE_URL", role);
  const { openPool } = await import("../../services/kernel/postgres/openPool.ts");
  return openPool({ url: config.databaseUrl, size: config.databasePool, log });
}

function require(value: string, variable: string, role: Role): void {
  if (value !== "") return;
  throw new Rejection("SETTING_MISSING", `${role} needs ${variable}`, {
    hint: `Set ${variable} to the server to use. \`cazi up\` brings its own.`,
  });
}
