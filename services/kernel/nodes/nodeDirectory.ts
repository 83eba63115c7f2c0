import type { KV, KvEntry } from "nats";
import { type NodeRegistration, nodeRegistration } from "../../../schemas/messages/node.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Nats } from "../nats/connectNats.ts";

/** What an observer knows of the nodes. Liveness is by its own monotonic clock, never by a node's wall clock. */
export interface NodeDirectory {
  registrations(): Iterable<NodeRegistration>;
  /** Heard from within the limit. */
  isOnline(node: string): boolean;
  /**
   * Milliseconds since the node was last heard of, counted only while this observer was connected: after a
   * restart or an outage of NATS the count starts again, so that nobody is declared dead by the deaf.
   */
  silentMs(node: string): number;
  /** Calls back when a node registers or is heard of again. */
  onChange(callback: () => void): void;
  stop(): Promise<void>;
}

/** Watches the buckets `nodes` and `heartbeats`. Resolves when their present content is known. */
export async function watchNodes(ports: {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly log: Log;
  readonly offlineMs: number;
}): Promise<NodeDirectory> {
  const { nats, clock, log, offlineMs } = ports;
  const registered = new Map<string, NodeRegistration>();
  const heardAt = new Map<string, number>();
  const callbacks: (() => void)[] = [];
  let observingSince = clock.monotonicMs();
  const silentMs = (node: string) => clock.monotonicMs() - Math.max(heardAt.get(node) ?? 0, observingSince);
  const isOnline = (node: string) => heardAt.has(node) && silentMs(node) < offlineMs;
  const changed = () => {
    for (const callback of callbacks) callback();
  };
  const forget = nats.onReconnect(() => {
    observingSince = clock.monotonicMs();
  });
  const [nodes, heartbeats] = await Promise.all([nats.js.views.kv("nodes"), nats.js.views.kv("heartbeats")]);
  const stops = await Promise.all([
    watch(nodes, log, (entry) => {
      if (entry.operation !== "PUT") registered.delete(entry.key);
      else register(registered, entry, log);
      changed();
    }),
    watch(heartbeats, log, (entry) => {
      // One found at the start counts as heard now: it is younger than the bucket's life, and the count of
      // silence starts with this observer anyway.
      if (entry.operation !== "PUT") return;
      const wasOnline = isOnline(entry.key);
      heardAt.set(entry.key, clock.monotonicMs());
      if (!wasOnline) changed();
    }),
  ]);
  return {
    registrations: () => registered.values(),
    isOnline,
    silentMs,
    onChange: (callback) => callbacks.push(callback),
    stop: async () => {
      forget();
      for (const stop of stops) stop();
    },
  };
}

function register(registered: Map<string, NodeRegistration>, entry: KvEntry, log: Log): void {
  const read = nodeRegistration.safeParse(safeJson(entry));
  if (read.success) registered.set(entry.key, read.data);
  else log.warn({ node: entry.key, problems: read.error.issues }, "a node's registration cannot be read");
}

function safeJson(entry: KvEntry): unknown {
  try {
    return entry.json();
  } catch {
    return null;
  }
}

/** @returns how to stop, once all present entries were given */
async function watch(kv: KV, log: Log, onEntry: (entry: KvEntry) => void): Promise<() => void> {
  let known: () => void = () => undefined;
  let failed: (error: unknown) => void = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    known = resolve;
    failed = reject;
  });
  const entries = await kv.watch({ initializedFn: () => known() });
  void (async () => {
    for await (const entry of entries) onEntry(entry);
  })().catch((error: unknown) => {
    log.error({ error }, "watching a bucket ended");
    // Before the bucket is known this fails the start; afterwards it settles nothing.
    failed(error);
  });
  await ready;
  return () => entries.stop();
}
