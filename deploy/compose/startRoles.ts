import type { Clock } from "../../services/kernel/clock.ts";
import type { Config } from "../../services/kernel/config.ts";
import type { Log } from "../../services/kernel/log.ts";
import { migrate } from "../../services/kernel/postgres/migrate.ts";
import { openPool } from "../../services/kernel/postgres/openPool.ts";
import { bridgeGateway } from "../embedded/bridgeGateway.ts";
import type { RunningRoles, StartRoles, UpParts } from "../up.ts";
import { watchRoles } from "./metrics/watchRoles.ts";
import { type Ground, openGround } from "./openGround.ts";
import { controlPlaneRole } from "./roles/controlPlane.ts";
import { nodeRole } from "./roles/node.ts";
import { projectorRole } from "./roles/projector.ts";
import { reactorRole } from "./roles/reactor.ts";
import { relayRole } from "./roles/relay.ts";
import { schedulerRole } from "./roles/scheduler.ts";
import { sinksRole } from "./roles/sinks.ts";
import { untilReachable } from "./untilReachable.ts";

/** What the process brings, apart from the servers under it. */
interface Own {
  readonly config: Config;
  readonly given: ReadonlySet<keyof Config>;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells a person what this start waits for. */
  readonly tell: (text: string) => void;
}

/** All roles in one process, with an embedded node: what `cazi up` runs. Resolves when the API can take a task. */
export function startRoles(own: Own): StartRoles {
  return (parts) => start(own, parts);
}

async function start(own: Own, parts: UpParts): Promise<RunningRoles> {
  const { clock, log, tell } = own;
  const dockerHost = "dockerHost" in parts.engine ? parts.engine.dockerHost : own.config.dockerHost;
  const config = { ...own.config, dockerHost, home: parts.home };
  const pool = openPool({ url: parts.postgres.url, size: parts.postgres.pool, log });
  const [ground] = await Promise.all([
    openGround({ config, clock, log, tell, nats: parts.nats, home: parts.home }),
    untilReachable(() => migrate(pool), { clock, log, tell }),
  ]);
  const projector = projectorRole(ground, pool);
  const beside = [
    projector,
    schedulerRole(ground),
    reactorRole(ground),
    relayRole(ground),
    await sinksRole(ground),
  ];
  const [api, node] = await Promise.all([
    controlPlaneRole(ground, {
      adminToken: parts.adminToken,
      listen: parts.listen,
      pool,
      portFixed: own.given.has("port"),
      // Without an engine the node beside this brings what scripts leave, from this very machine.
      bridgeGateway: "dockerHost" in parts.engine ? await bridgeGateway(dockerHost) : "127.0.0.1",
      beside,
    }),
    nodeRole(ground, parts.instance),
  ]);
  const probes = await watchRoles(ground, [api, node, ...beside]);
  await openGate(ground, tell);
  // Writers first: what they have begun is finished while everything under them still answers.
  const stop = async () => {
    await Promise.all([probes?.stop(), api.stop(), node.stop()]);
    await Promise.all(beside.map((role) => role.stop()));
    await ground.stop();
    await pool.end();
  };
  return { url: api.url, lost: ground.gate.state === "regressed", stop };
}

/** So that the first submit after `ready` is taken. A ledger that lost events is told by `/readyz`, beside an API that reads. */
async function openGate(ground: Ground, tell: (text: string) => void): Promise<void> {
  try {
    await untilReachable(() => ground.gate.open(), { ...ground, tell });
  } catch (error) {
    ground.log.error({ error }, "nothing can be submitted yet");
  }
}
