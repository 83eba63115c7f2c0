import { readFileSync } from "node:fs";
import {
  connect,
  credsAuthenticator,
  ErrorCode,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
} from "nats";
import type { Config } from "../config.ts";
import { Rejection, Retryable } from "../errors.ts";
import { gatherWrites } from "./gatherWrites.ts";
import { isRefusedByNats, refusedByNats } from "./natsError.ts";
import { readCredentials } from "./readCredentials.ts";
import { spareErrors } from "./spareErrors.ts";

/** One connection and its JetStream faces. Everything that speaks NATS is given this. */
export interface Nats {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** False between a lost connection and the next. */
  connected(): boolean;
  /** Calls back after each reconnect; returns how to stop. */
  onReconnect(callback: () => void): () => void;
  onDisconnect(callback: () => void): () => void;
  close(): Promise<void>;
}

/** Paths of PEM files; "" for none. */
export interface NatsTls {
  /** Who may sign the server's certificate, in place of the system's own list. */
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** The files that the settings name. */
export function natsTls(config: Pick<Config, "natsCa" | "natsCert" | "natsKey">): NatsTls {
  return { caFile: config.natsCa, certFile: config.natsCert, keyFile: config.natsKey };
}

/**
 * Connects, and from then on reconnects for ever.
 * @param options.name what the server's connection list shows
 * @throws Retryable `NATS_UNAVAILABLE` when the first connection fails; Rejection `NATS_CREDS_UNREADABLE`,
 *   `NATS_REFUSED` when the server answers and does not take the credentials, and `NATS_TLS_FAILED` when the
 *   encryption does not come about
 */
export async function connectNats(options: {
  readonly url: string;
  readonly credsFile: string | null;
  /** Files of the encryption; a `tls://` address is encrypted without them too, and never falls back to plain. */
  readonly tls?: NatsTls;
  /** Where JetStream is asked, in an account that imports it from another; the server's usual prefix unless given. */
  readonly apiPrefix?: string;
  readonly name: string;
  readonly firstWaitMs: number;
  /** Told once when the first try fails and others follow. */
  readonly onWaiting?: (text: string) => void;
}): Promise<Nats> {
  const connection = await firstConnection(options);
  gatherWrites(connection);
  spareErrors(connection);
  const reconnected = new Set<() => void>();
  const disconnected = new Set<() => void>();
  const { apiPrefix } = options;
  const jetstream = { timeout: REQUEST_TIMEOUT_MS, ...(apiPrefix === undefined ? {} : { apiPrefix }) };
  let up = true;
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) {
        up = false;
        for (const callback of disconnected) callback();
      } else if (status.type === Events.Reconnect) {
        up = true;
        for (const callback of reconnected) callback();
      }
    }
  })();
  return {
    connection,
    js: connection.jetstream(jetstream),
    jsm: await connection.jetstreamManager({ ...jetstream, checkAPI: false }),
    connected: () => up && !connection.isClosed(),
    onReconnect: (callback) => listen(reconnected, callback),
    onDisconnect: (callback) => listen(disconnected, callback),
    close: () => connection.drain(),
  };
}

/** Long enough for a busy server, short enough that a lost answer is asked again within its caller's patience. */
const REQUEST_TIMEOUT_MS = 5_000;

function listen(callbacks: Set<() => void>, callback: () => void): () => void {
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

async function firstConnection(options: Parameters<typeof connectNats>[0]): Promise<NatsConnection> {
  const { credsFile, url } = options;
  const credentials = credsFile ? { authenticator: credsAuthenticator(readCredentials(credsFile)) } : {};
  const tls = tlsOptions(options);
  const deadline = performance.now() + options.firstWaitMs;
  let told = false;
  for (;;) {
    try {
      return await connect({
        servers: url.split(","),
        name: options.name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 200,
        reconnectJitter: 100,
        pingInterval: 10_000,
        maxPingOut: 2,
        inboxPrefix: "_INBOX",
        // Two stack traces a request otherwise, for errors that nearly never come; callers say what they did.
        noAsyncTraces: true,
        // A server that restarts refuses for a moment what it takes once it has read its accounts.
        ignoreAuthErrorAbort: true,
        ...credentials,
        ...tls,
      });
    } catch (cause) {
      const unsafe = tlsFailure(cause);
      if (unsafe !== null) throw tlsFailed(url, unsafe, cause);
      // A server that still loads its accounts refuses for a moment what it takes later: this is tried as long.
      const refused = isRefusedByNats(cause);
      if (performance.now() > deadline) {
        if (refused) throw refusedByNats(cause);
        throw new Retryable("NATS_UNAVAILABLE", `no NATS server answers at ${url}`, {
          cause,
          hint: "Start it, or unset NATS_URL to use the embedded one.",
        });
      }
      const what = refused
        ? `the NATS server at ${url} refuses the credentials`
        : `no NATS server answers at ${url}`;
      if (!told) options.onWaiting?.(`${what}; trying for ${options.firstWaitMs / 1000} s`);
      told = true;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function tlsOptions({ url, tls }: Parameters<typeof connectNats>[0]): { tls?: object } {
  const files = Object.entries(tls ?? {}).filter(([, path]) => path !== "");
  const asked = url.split(",").some((one) => one.trim().startsWith("tls://"));
  if (!asked && files.length === 0) return {};
  const names = { caFile: "ca", certFile: "cert", keyFile: "key" } as const;
  // Read here: the client's own reading says of a missing file only that it is missing.
  const read = files.map(([name, path]) => [names[name as keyof NatsTls], readTlsFile(url, path)]);
  return { tls: Object.fromEntries(read) };
}

function readTlsFile(url: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw tlsFailed(url, `${path} cannot be read`, cause);
  }
}

/** What a failure of the encryption says, or null for one of another kind: trying again does not change these. */
function tlsFailure(error: unknown): string | null {
  const { code, message } = error as { code?: string; message: string };
  if (code === ErrorCode.ServerOptionNotAvailable) return "the server does not offer it";
  const known = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/;
  const cause = (error as { chainedError?: { code?: string; message: string } }).chainedError;
  if (cause?.code !== undefined && known.test(cause.code)) return cause.message;
  return code !== undefined && known.test(code) ? message : null;
}

function tlsFailed(url: string, why: string, cause: unknown): Rejection {
  return new Rejection("NATS_TLS_FAILED", `no encrypted connection to ${url}: ${why}`, {
    cause,
    hint: "Set NATS_CA to the certificate that signed the server's, and use an address that its certificate names.",
  });
}
