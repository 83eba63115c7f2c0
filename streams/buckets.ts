/** Every KV and object bucket, as data; `ensure.ts` makes the server agree, `README.md` is generated from here. */

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

export interface BucketSpec {
  readonly kind: "kv" | "objects";
  readonly name: string;
  readonly about: string;
  readonly keys: string;
  /** Life of a value without renewal, in milliseconds; 0 for no end. Old servers send no message on expiry. */
  readonly ttlMs: number;
  readonly history: number;
  readonly maxBytes: number;
  /**
   * True where nodes in accounts of their own write: then no message may ask the server to remove others, as a
   * bucket's usually may (`Nats-Rollup: all`).
   */
  readonly writtenByNodes?: true;
}

/** @param timing lives that follow from configuration, in milliseconds */
export function buckets(timing: {
  readonly leaseMs: number;
  readonly nodeOfflineMs: number;
}): readonly BucketSpec[] {
  return [...presence(timing), ...kept];
}

/** What ends by itself when nobody renews it. */
function presence(timing: {
  readonly leaseMs: number;
  readonly nodeOfflineMs: number;
}): readonly BucketSpec[] {
  return [
    {
      kind: "kv",
      name: "heartbeats",
      about: "Liveness; a cache, readers keep their own timers.",
      keys: "`<node>`",
      ttlMs: timing.nodeOfflineMs,
      history: 1,
      maxBytes: 64 * MIB,
      writtenByNodes: true,
    },
    {
      kind: "kv",
      name: "leases",
      about: "One active scheduler, reactor, projector, relay and sinks a shard, by revision.",
      keys: "`<role>.<shard>`",
      ttlMs: timing.leaseMs,
      history: 1,
      maxBytes: 16 * MIB,
    },
  ];
}

/** What stays until somebody removes it. */
const kept: readonly BucketSpec[] = [
  {
    kind: "kv",
    name: "nodes",
    about: "What each node says it can do.",
    keys: "`<node>`",
    ttlMs: 0,
    history: 1,
    maxBytes: 64 * MIB,
  },
  {
    kind: "kv",
    name: "cursors",
    about: "Places in the ledger of roles without Postgres.",
    keys: "`<role>.<shard>`; `epochs.<shard>`",
    ttlMs: 0,
    history: 1,
    maxBytes: 16 * MIB,
  },
  {
    kind: "kv",
    name: "fleet",
    about:
      "What operators declared of standalone nodes: what each may register, cordon and drain. No secret.",
    keys: "`<node>`",
    ttlMs: 0,
    history: 1,
    maxBytes: 16 * MIB,
  },
  {
    kind: "kv",
    name: "keys",
    about:
      "Keys that workload tokens are signed with: the private half encrypted, the public half as published.",
    keys: "`ring`",
    ttlMs: 0,
    history: 1,
    maxBytes: 16 * MIB,
  },
  {
    kind: "kv",
    name: "connections",
    about: "Secrets for tasks, encrypted; written and opened by the control plane alone.",
    keys: "`<tenant>.<name>`",
    ttlMs: 0,
    history: 1,
    maxBytes: 64 * MIB,
  },
  {
    kind: "kv",
    name: "tokens",
    about: "Who is who, copied from Postgres: tokens are verified while it is away. No token, only hashes.",
    keys: "`token.<sha256>`, `user.<tenant>.<name>`, `tenant.<name>`",
    ttlMs: 0,
    history: 1,
    maxBytes: 64 * MIB,
  },
  {
    kind: "kv",
    name: "model_calls",
    about:
      "Each call of a model for a script: that it was begun, by whom, sizes and hashes. No content, and no key.",
    keys: "`<tenant>.<task>.<attempt>.<number>`",
    // Longer than any attempt.
    ttlMs: 8 * 86_400_000,
    history: 1,
    maxBytes: 256 * MIB,
  },
  {
    kind: "kv",
    name: "sink_tries",
    about: "How often a sink was tried in vain, for what is told of one that has failed.",
    keys: "`<tenant>.<task>.<hash of the sink>`",
    // Each try renews it; far longer than the tries of a sink lie apart.
    ttlMs: 8 * 86_400_000,
    history: 1,
    maxBytes: 64 * MIB,
  },
  {
    kind: "kv",
    name: "subscribers",
    about: "Outside subscribers of the feed that were added: whose, and their NATS account. No secret.",
    keys: "`<tenant>.<name>`",
    ttlMs: 0,
    history: 1,
    maxBytes: 16 * MIB,
  },
  {
    kind: "objects",
    name: "snapshots",
    about: "Folds of the tasks that are not over, so that a takeover does not read the whole history.",
    keys: "`live.<shard>`, `ended.<shard>`",
    ttlMs: 0,
    history: 1,
    maxBytes: 512 * MIB,
  },
  {
    kind: "objects",
    name: "artifacts",
    about: "Files that containers published; written by the control plane alone.",
    keys: "`<tenant>/<task>/<id of the event that stored it>`",
    ttlMs: 0,
    history: 1,
    maxBytes: 2 * GIB,
  },
];
