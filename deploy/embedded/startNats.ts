/** The embedded NATS server: a child, on loopback unless told otherwise, in operator mode, its data and keys under the home. */
import { mkdirSync, readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Rejection } from "../../services/kernel/errors.ts";
import { findProgram } from "./findProgram.ts";
import { freeLoopbackPort } from "./freePort.ts";
import { endStaleChild, type GuardedChild, startGuardedChild } from "./guardedChild.ts";
import type { Log } from "./log.ts";
import {
  type NatsIdentities,
  natsFileStoreBytesMax,
  natsIdentities,
  natsMemoryStoreBytesMax,
} from "./natsIdentities.ts";
import { type NatsListen, ownUrl } from "./natsListen.ts";
import { writeFileWhole } from "./writeFileWhole.ts";

const readyDeadlineMs = 20_000;
const readyPollMs = 25;
const greetingTimeoutMs = 2_000;
const stopGraceMs = 4_000;
const portAttemptsMax = 3;

export interface EmbeddedNats {
  readonly url: string;
  /** Credentials of the services' account, mode 0600. */
  readonly credsFile: string;
  /** Credentials of the system account, which may announce the accounts of new nodes. */
  readonly systemCredsFile: string;
  /** Credentials of the outside subscriber's account. */
  readonly subscriberCredsFile: string;
  readonly pid: number;
  /** Resolves when the server is gone, wanted or not; says how it ended. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
  /** SIGKILL, for fault tests. */
  kill(): Promise<void>;
}

/**
 * Starts the server under `<home>/nats`, on the port of its last life when that is free (clients of a restarted
 * server find it again). A server that an earlier life of this home left behind is ended first. Resolves when
 * it accepts clients, JetStream recovered.
 * @param options.port the only port to use: for a restart under clients that know it
 * @param options.listen where to listen instead of on loopback, and with which encryption
 * @throws Rejection `NATS_MISSING` when the program is not installed; Error naming the log file when the server does not come up
 */
export async function startNats(options: {
  home: string;
  log: Log;
  port?: number;
  listen?: NatsListen | null;
  env?: Readonly<Record<string, string | undefined>>;
}): Promise<EmbeddedNats> {
  const program = natsProgram(options.env ?? process.env);
  const folder = join(options.home, "nats");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await endStaleChild(join(folder, "server.pid"), stopGraceMs);
  const identities = await natsIdentities(join(folder, "keys"));
  const asked = options.listen ?? null;
  const fixed = asked?.port ?? options.port;
  for (let attempt = 1; ; attempt++) {
    const port = fixed ?? (await freeLoopbackPort(rememberedPort(folder)));
    const listen = asked ?? { host: "127.0.0.1", port, tls: null };
    const url = ownUrl(listen);
    const child = await spawnServer({ program, folder, listen, identities });
    const failure = await untilReady(child, new URL(url));
    if (failure === null) {
      writeFileWhole(join(folder, "port"), `${port}\n`);
      writeFileWhole(join(folder, "url"), `${url}\n`);
      options.log.info(`NATS server on ${url}, data in ${join(folder, "data")}`);
      return { url, ...described(identities, child) };
    }
    await child.stop(stopGraceMs);
    if (attempt === portAttemptsMax || fixed !== undefined) {
      throw new Error(`the NATS server did not start (${failure}); its log is ${join(folder, "server.log")}`);
    }
  }
}

function described(identities: NatsIdentities, child: GuardedChild): Omit<EmbeddedNats, "url"> {
  return {
    credsFile: identities.credsFile,
    systemCredsFile: identities.systemCredsFile,
    subscriberCredsFile: identities.subscriberCredsFile,
    pid: child.pid,
    exited: child.exited,
    stop: () => child.stop(stopGraceMs),
    kill: () => child.kill(),
  };
}

function natsProgram(env: Readonly<Record<string, string | undefined>>): string {
  const program = findProgram("nats-server", env.PATH ?? "");
  if (program !== null) return program;
  throw new Rejection("NATS_MISSING", "nats-server is not installed, and the ledger is kept by it", {
    hint: "Run `sudo apt-get install nats-server`, or set NATS_URL.",
  });
}

function spawnServer(of: {
  program: string;
  folder: string;
  listen: NatsListen;
  identities: NatsIdentities;
}): Promise<GuardedChild> {
  const { program, folder, listen, identities } = of;
  const configFile = join(folder, "server.conf");
  writeFileWhole(configFile, serverConfig({ folder, listen, identities }));
  return startGuardedChild({
    command: program,
    args: ["-c", configFile],
    cwd: folder,
    logFile: join(folder, "server.log"),
    pidFile: join(folder, "server.pid"),
  });
}

/** The server's configuration file. JSON is a subset of its syntax, so no path or name needs escaping. */
function serverConfig(of: { folder: string; listen: NatsListen; identities: NatsIdentities }): string {
  const { folder, listen, identities } = of;
  const { host, port, tls } = listen;
  const settings = {
    server_name: "cazi-embedded",
    host,
    port,
    ...(tls === null ? {} : { tls: { cert_file: tls.certFile, key_file: tls.keyFile, timeout: 20 } }),
    max_payload: 1024 * 1024,
    // By default a client that has not answered the greeting within 2 s is sent away: a process that starts on a
    // loaded machine takes longer, and so would every reconnect.
    authorization: { timeout: 20 },
    lame_duck_grace_period: "1s",
    lame_duck_duration: "30s",
    jetstream: {
      store_dir: join(folder, "data"),
      max_memory_store: natsMemoryStoreBytesMax,
      max_file_store: natsFileStoreBytesMax,
    },
    ...operatorMode(identities, join(folder, "accounts")),
  };
  return JSON.stringify(settings, null, 2);
}

/** The part of a server's configuration that says whose accounts it takes. @param folder where it keeps them */
export function operatorMode(identities: NatsIdentities, folder: string) {
  return {
    operator: identities.operatorJwt,
    system_account: identities.systemAccount,
    resolver: { type: "full", dir: folder, allow_delete: false, interval: "2m", timeout: "2s" },
    resolver_preload: {
      [identities.systemAccount]: identities.systemJwt,
      [identities.servicesAccount]: identities.servicesJwt,
      [identities.subscriberAccount]: identities.subscriberJwt,
    },
  };
}

function rememberedPort(folder: string): number | null {
  try {
    const port = Number(readFileSync(join(folder, "port"), "utf8").trim());
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
  } catch {
    return null;
  }
}

async function untilReady(child: GuardedChild, url: URL): Promise<string | null> {
  const deadline = performance.now() + readyDeadlineMs;
  while (performance.now() < deadline) {
    if (child.hasExited()) return child.exited;
    if (await greets(url)) return null;
    await pause(readyPollMs);
  }
  return "no answer";
}

/** The server accepts clients only after JetStream has recovered its streams; its greeting says that it has it. */
function greets({ hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = createConnection({ host, port: Number(port), timeout: greetingTimeoutMs });
    const end = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once("data", (data) => end(/^INFO .*"jetstream":true/.test(data.toString())));
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
