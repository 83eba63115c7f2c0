/**
 * `cazi up`: every role and what they stand on, in one process tree, in the foreground. What it starts ends with
 * it, except the Docker engine and the containers that run.
 */
import type { EventEmitter } from "node:events";
import { join } from "node:path";
import type { Clock } from "../services/kernel/clock.ts";
import type { Config } from "../services/kernel/config.ts";
import { projectRoot } from "../services/kernel/projectRoot.ts";
import { choosePort } from "./choosePort.ts";
import { lockHome } from "./embedded/homeLock.ts";
import type { Log } from "./embedded/log.ts";
import { keptInstance, keptToken, removeUrl, writeUrl } from "./homeFiles.ts";
import { readyMessage } from "./readyMessage.ts";
import { type Parts, startParts } from "./startParts.ts";
import { stopSignals } from "./stopSignals.ts";

/** Roles have this long to end; then the servers under them are ended too. Together under 10 s. */
const rolesStopMs = 5_000;

export interface UpParts extends Parts {
  readonly home: string;
  /** Name on this instance's containers. */
  readonly instance: string;
  readonly adminToken: string;
  readonly listen: { readonly host: string; readonly port: number };
}

export interface RunningRoles {
  /** Where the API answers. */
  readonly url: string;
  /** The ledger has lost events: reads are answered, nothing is taken. */
  readonly lost: boolean;
  stop(): Promise<void>;
}

/** Starts all roles on the parts; resolves when the API answers and the roles hold their leases. */
export type StartRoles = (parts: UpParts) => Promise<RunningRoles>;

export interface UpOptions {
  readonly config: Config;
  readonly given: ReadonlySet<keyof Config>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly clock: Clock;
  readonly startRoles: StartRoles;
  /** Prints to the person at the terminal. */
  readonly say: (text: string) => void;
  /** `process`. */
  readonly signals: Pick<EventEmitter, "on" | "off">;
  /** Ends this process at once; children follow. */
  readonly exitNow: (code: number) => void;
}

/**
 * Runs until a signal; resolves when all has ended.
 * @throws Rejection `HOME_IN_USE`, `PORT_TAKEN`, `NATS_MISSING`; Error when an embedded server does not start
 */
export async function up(options: UpOptions): Promise<void> {
  const { config, say, clock } = options;
  const lock = lockHome(config.home);
  const signals = stopSignals(options.signals, clock.monotonicMs, () => options.exitNow(130));
  try {
    removeUrl(config.home);
    const starting = startAll(options);
    const running = await Promise.race([starting, signals.first.then(() => null)]);
    if (running === null) return await endStart(starting, options);
    const signal = await signals.first;
    say(`${signal}: ending Cazi (again to end at once)`);
    await running.stop();
    say(engineRemark(running.engine));
  } finally {
    signals.release();
    lock.release();
  }
}

/** A signal before `ready`: what is half-started is ended in order if it comes up soon, else at once. */
async function endStart(starting: ReturnType<typeof startAll>, options: UpOptions): Promise<void> {
  options.say("ending Cazi before it was ready (again to end at once)");
  const stopped = starting.then((running) => running.stop()).catch(() => {});
  await withinMs(rolesStopMs, stopped, () => options.exitNow(130));
}

async function startAll(options: UpOptions): Promise<{ engine: Parts["engine"]; stop(): Promise<void> }> {
  const { config, given, log, say } = options;
  const listenPort = await choosePort({ ...config, explicit: given.has("port") });
  const parts = await startParts(options);
  try {
    const { token, file } = keptToken(config.home);
    const roles = await options.startRoles({
      ...parts,
      home: config.home,
      instance: keptInstance(config.home, config.instance),
      adminToken: token,
      listen: { host: config.host, port: listenPort },
    });
    writeUrl(config.home, roles.url);
    const home = { home: config.home, homeGiven: given.has("home") };
    say(readyMessage({ url: roles.url, lost: roles.lost, tokenFile: file, cli: cliProgram(), ...home }));
    const stop = async () => {
      removeUrl(config.home);
      await withinMs(rolesStopMs, roles.stop(), () => log.warn("the roles did not end in time"));
      await parts.stop();
    };
    return { engine: parts.engine, stop };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

function cliProgram(): string {
  return join(projectRoot, "services", "cli", "bin", "cazi.mjs");
}

function engineRemark(engine: Parts["engine"]): string {
  if ("unavailable" in engine) return "ended";
  const whose = engine.startedByUs ? "the Docker engine that Cazi started" : "the Docker engine";
  return `ended; containers that still run stay, and so does ${whose} (${engine.dockerHost})`;
}

async function withinMs(ms: number, work: Promise<void>, late: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      late();
      resolve();
    }, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
