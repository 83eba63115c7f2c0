import type { KV, KvEntry } from "nats";
import { type FleetEntry, fleetEntry } from "../../../schemas/messages/fleet.ts";
import { type NodeRegistration, nodeRegistration } from "../../../schemas/messages/node.ts";
import { boundNode, type KnownNode } from "../../domain/scheduling/fleet.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Nats } from "../nats/connectNats.ts";

/** What an observer knows of the nodes. Liveness is by its own monotonic clock, never by a node's wall clock. */
export interface NodeDirectory {
  /** What nodes say they can do, within what was declared for them; without those that were removed. */
  registrations(): Iterable<KnownNode>;
  /** What this node said last; undefined before it has registered. */
  said(node: string): NodeRegistration | undefined;
  /** What operators said of nodes, by name. */
  fleet(): ReadonlyMap<string, FleetEntry>;
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

/** Watches the buckets `nodes`, `fleet` and `heartbeats`. Resolves when their present content is known. */
export async function watchNodes(ports: {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly log: Log;
  readonly offlineMs: number;
}): Promise<NodeDirectory> {
  const { nats, clock, log, offlineMs } = ports;
  const registered = new Map<string, NodeRegistration>();
  const fleet = new Map<string, FleetEntry>();
  const joined = joinedNodes(registered, fleet);
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
  const [nodes, declared, heartbeats] = await Promise.all(
    ["nodes", "fleet", "heartbeats"].map((name) => nats.js.views.kv(name)),
  );
  const join = <T>(into: Map<string, T>, read: (value: unknown) => T) => {
    return (entry: KvEntry) => {
      try {
        if (entry.operation !== "PUT") into.delete(entry.key);
        else into.set(entry.key, read(entry.json()));
      } catch (error) {
        log.warn({ node: entry.key, error }, "what is stored of a node cannot be read");
      }
      joined.change();
      changed();
    };
  };
  const stops = await Promise.all([
    watch(
      declared!,
      log,
      join(fleet, (value) => fleetEntry.parse(value)),
    ),
    watch(
      nodes!,
      log,
      join(registered, (value) => nodeRegistration.parse(value)),
    ),
    watch(heartbeats!, log, (entry) => {
      // One found at the start counts as heard now: it is younger than the bucket's life, and the count of
      // silence starts with this observer anyway.
      if (entry.operation !== "PUT") return;
      const wasOnline = isOnline(entry.key);
      heardAt.set(entry.key, clock.monotonicMs());
      if (!wasOnline) changed();
    }),
  ]);
  return {
    registrations: joined.nodes,
    said: (node) => registered.get(node),
    fleet: () => fleet,
    isOnline,
    silentMs,
    onChange: (callback) => callbacks.push(callback),
    stop: async () => {
      forget();
      for (const stop of stops) stop();
    },
  };
}

/** What is said by nodes and of nodes, joined once a change; a node of which nothing changed stays the same object. */
function joinedNodes(
  registered: ReadonlyMap<string, NodeRegistration>,
  fleet: ReadonlyMap<string, FleetEntry>,
): { nodes(): readonly KnownNode[]; change(): void } {
  const memory = new WeakMap<NodeRegistration, { entry: FleetEntry | undefined; known: KnownNode }>();
  const join = (said: NodeRegistration) => {
    const entry = fleet.get(said.node);
    const before = memory.get(said);
    if (before !== undefined && before.entry === entry) return before.known;
    const known = boundNode(said, entry);
    memory.set(said, { entry, known });
    return known;
  };
  let all: readonly KnownNode[] | null = null;
  return {
    nodes: () => {
      all ??= [...registered.values()].map(join).filter(({ state }) => state !== "removed");
      return all;
    },
    change: () => {
      all = null;
    },
  };
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
