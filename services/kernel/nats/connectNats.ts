import {
  connect,
  credsAuthenticator,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
} from "nats";
import { Retryable } from "../errors.ts";
import { gatherWrites } from "./gatherWrites.ts";
import { leanPublish } from "./leanPublish.ts";
import { isRefusedByNats, refusedByNats } from "./natsError.ts";
import { readCredentials } from "./readCredentials.ts";
import { spareErrors } from "./spareErrors.ts";
import { type NatsTls, tlsFailed, tlsFailure, tlsOptions } from "./tls.ts";

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
  const js = connection.jetstream(jetstream);
  js.publish = leanPublish(connection, js.publish.bind(js));
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
    js,
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
