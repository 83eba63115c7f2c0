import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../services/kernel/clock.ts";
import type { Config } from "../../services/kernel/config.ts";
import { Rejection } from "../../services/kernel/errors.ts";
import type { Log } from "../../services/kernel/log.ts";
import { asNatsError } from "../../services/kernel/nats/natsError.ts";
import { migrate } from "../../services/kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../../services/kernel/postgres/openPool.ts";
import type { Role } from "../../services/kernel/roles.ts";
import { keptToken } from "../homeFiles.ts";
import { watchRoles } from "./metrics/watchRoles.ts";
import { openGround } from "./openGround.ts";
import { controlPlaneRole } from "./roles/controlPlane.ts";
import { projectorRole } from "./roles/projector.ts";
import { reactorRole } from "./roles/reactor.ts";
import { relayRole } from "./roles/relay.ts";
import type { Ground, RunningRole } from "./roles/role.ts";
import { schedulerRole } from "./roles/scheduler.ts";
import { sinksRole } from "./roles/sinks.ts";
import { serveNode } from "./serveNode.ts";
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
  if (role === "node") return untilEnded(role, await serveNode(options), options);
  const pool = needsPostgres(role) ? openDatabase(options, role) : null;
  const ground = await openGround({
    config,
    clock,
    log,
    tell: options.say,
    nats: { url: config.natsUrl, credsFile: config.natsCreds },
    home: "",
  });
  if (pool !== null) await untilReachable(() => migrate(pool), { clock, log, tell: options.say });
  const running = await start(role, ground, pool, options);
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

function start(
  role: Exclude<Role, "node">,
  ground: Ground,
  pool: DatabasePool | null,
  { config, given }: ServeOptions,
): Promise<RunningRole> | RunningRole {
  switch (role) {
    case "control-plane":
      return controlPlaneRole(ground, {
        pool: pool!,
        adminToken: keptToken(config.home).token,
        listen: { host: config.host, port: config.port },
        portFixed: given.has("port"),
        bridgeGateway: null,
        beside: [],
      });
    case "projector":
      return projectorRole(ground, pool!);
    case "scheduler":
      return schedulerRole(ground);
    case "reactor":
      return reactorRole(ground);
    case "relay":
      return relayRole(ground);
    case "sinks":
      return sinksRole(ground);
  }
}

function needsPostgres(role: Role): boolean {
  return role === "control-plane" || role === "projector";
}

function openDatabase({ config, log }: ServeOptions, role: Role): DatabasePool {
  require(config.databaseUrl, "DATABASE_URL", role);
  return openPool({ url: config.databaseUrl, size: config.databasePool, log });
}

function require(value: string, variable: string, role: Role): void {
  if (value !== "") return;
  throw new Rejection("SETTING_MISSING", `${role} needs ${variable}`, {
    hint: `Set ${variable} to the server to use. \`cazi up\` brings its own.`,
  });
}
