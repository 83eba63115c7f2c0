/** The embedded servers of `cazi up`, side by side, each replaced by what the configuration names instead. */

import type { Clock } from "../services/kernel/clock.ts";
import type { Config } from "../services/kernel/config.ts";
import { type EngineOutcome, ensureEngine } from "./embedded/ensureEngine.ts";
import { ensureToolbox } from "./embedded/ensureToolbox.ts";
import { type KeptServer, keepRunning } from "./embedded/keepRunning.ts";
import type { Log } from "./embedded/log.ts";
import { natsListen } from "./embedded/natsListen.ts";
import { startNats } from "./embedded/startNats.ts";
import { startPostgres } from "./embedded/startPostgres.ts";
import { watchDisk } from "./embedded/watchDisk.ts";

export interface NatsPart {
  readonly url: string;
  /** "" when `NATS_URL` was given without `NATS_CREDS`. */
  readonly credsFile: string;
  /** Of the embedded server only: may announce the accounts of new nodes. */
  readonly systemCredsFile: string | null;
  readonly embedded: boolean;
}

export interface PostgresPart {
  readonly url: string;
  /** Connections a process may open: the embedded one is a single session. */
  readonly pool: number;
  readonly embedded: boolean;
}

export interface Parts {
  readonly nats: NatsPart;
  readonly postgres: PostgresPart;
  readonly engine: EngineOutcome;
}

interface PartsOptions {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Starts them. When one fails, those that had started are ended and the first failure is thrown.
 * @returns the parts and `stop`, which ends what was started here, the engine excepted
 */
export async function startParts(options: PartsOptions): Promise<Parts & { stop(): Promise<void> }> {
  const kept: KeptServer[] = [];
  const stopWatching = watchDisk({ home: options.config.home, servers: kept, log: options.log });
  const stop = async () => {
    stopWatching();
    await Promise.all(kept.map((server) => server.stop()));
  };
  const [nats, postgres, engine] = await Promise.allSettled([
    natsPart(options, kept),
    postgresPart(options, kept),
    enginePart(options),
  ]);
  if (nats.status === "fulfilled" && postgres.status === "fulfilled" && engine.status === "fulfilled") {
    return { nats: nats.value, postgres: postgres.value, engine: engine.value, stop };
  }
  await stop();
  const failed = [nats, postgres, engine].find((part) => part.status === "rejected");
  throw failed?.reason;
}

async function natsPart(options: PartsOptions, kept: KeptServer[]): Promise<NatsPart> {
  const { config, env, log, clock } = options;
  if (config.natsUrl !== "") {
    return { url: config.natsUrl, credsFile: config.natsCreds, systemCredsFile: null, embedded: false };
  }
  const listen = natsListen(config);
  const first = await startNats({ home: config.home, log, env, listen });
  const port = Number(new URL(first.url).port);
  const restart = () => startNats({ home: config.home, log, env, port, listen });
  kept.push(keepRunning({ name: "the NATS server", first, restart, log, monotonicMs: clock.monotonicMs }));
  const { url, credsFile, systemCredsFile } = first;
  return { url, credsFile, systemCredsFile, embedded: true };
}

async function postgresPart(options: PartsOptions, kept: KeptServer[]): Promise<PostgresPart> {
  const { config, log, clock } = options;
  if (config.databaseUrl !== "")
    return { url: config.databaseUrl, pool: config.databasePool, embedded: false };
  const first = await startPostgres({ home: config.home, log });
  const restart = () => startPostgres({ home: config.home, log });
  kept.push(
    keepRunning({ name: "the embedded Postgres", first, restart, log, monotonicMs: clock.monotonicMs }),
  );
  return { url: first.url, pool: 1, embedded: true };
}

/** The local image is a convenience: without it the engine is still one. */
async function enginePart(options: PartsOptions): Promise<EngineOutcome> {
  const engine = await ensureEngine(options);
  if ("unavailable" in engine) {
    options.log.warn(`Containers cannot run yet: ${engine.unavailable}`);
    return engine;
  }
  try {
    const toolbox = await ensureToolbox({ dockerHost: engine.dockerHost, log: options.log });
    if ("unavailable" in toolbox) options.log.warn(toolbox.unavailable);
  } catch (error) {
    options.log.warn(`the local image could not be made: ${(error as Error).message}`);
  }
  return engine;
}
