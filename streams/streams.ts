/**
 * Every stream and bucket, as data: each option that matters is written out, with the reason beside what is
 * not the default. `ensure.ts` makes the server agree; `README.md` is generated from here.
 */
import { filters } from "./subjects.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const SECOND_NS = 1_000_000_000;

export interface StreamSpec {
  readonly name: string;
  readonly about: string;
  readonly subjects: readonly string[];
  readonly writers: string;
  readonly readers: string;
  /** `limits` keeps for ever; `workqueue` removes what was acknowledged. */
  readonly retention: "limits" | "workqueue";
  /** Always `new`: a full stream refuses, so that nobody is told "stored" while something older vanishes. */
  readonly discard: "new";
  readonly maxBytes: number;
  readonly maxMessageBytes: number;
  /** Window of the server's own dedupe by message id, in nanoseconds. It costs memory per message in it. */
  readonly duplicateWindowNs: number;
  readonly dedupe: string;
  readonly ordering: string;
}

export interface BucketSpec {
  readonly kind: "kv" | "objects";
  readonly name: string;
  readonly about: string;
  readonly keys: string;
  /** Life of a value without renewal, in milliseconds; 0 for no end. Old servers send no message on expiry. */
  readonly ttlMs: number;
  readonly history: number;
  readonly maxBytes: number;
}

/** The one shard of the default layout. A tenant maps to one shard; order holds within it. */
export const DEFAULT_SHARD = 0;
export const ledgerStream = (shard: number) => `LEDGER_${shard}`;

export const streams: readonly StreamSpec[] = [
  {
    name: ledgerStream(DEFAULT_SHARD),
    about: "Truth. One subject an aggregate; its last message is its current state.",
    subjects: [filters.ledger],
    writers: "control plane, scheduler, reactor, by compare-and-set",
    readers: "every role, in order, from its own position",
    retention: "limits",
    discard: "new",
    maxBytes: 8 * GIB,
    // A spec is at most 256 KiB; a message beyond this is a bug, not a task.
    maxMessageBytes: MIB,
    // The expected subject sequence is the dedupe, for ever; no message ids are sent, so the window stays small.
    duplicateWindowNs: 2 * SECOND_NS,
    dedupe: "`Nats-Expected-Last-Subject-Sequence`, then the event id",
    ordering: "shard",
  },
  {
    name: "CLAIMS",
    about: "Offers of attempts to nodes. An offer starts nothing; a grant does.",
    subjects: [filters.claims],
    writers: "scheduler",
    readers: "the node named in the subject",
    retention: "workqueue",
    discard: "new",
    maxBytes: 256 * MIB,
    maxMessageBytes: 64 * 1024,
    duplicateWindowNs: 120 * SECOND_NS,
    dedupe: "message id = fence",
    ordering: "none",
  },
  {
    name: "REPORTS",
    about: "What nodes say happened; each report holds all facts of its attempt so far.",
    subjects: [filters.reports],
    writers: "node agents",
    readers: "control plane (transitions)",
    retention: "workqueue",
    discard: "new",
    maxBytes: GIB,
    maxMessageBytes: 256 * 1024,
    duplicateWindowNs: 2 * SECOND_NS,
    dedupe: "reports are cumulative: a repeat changes nothing",
    ordering: "task",
  },
  {
    name: "LOGS",
    about: "Raw output bytes in chunks, each with its offset. The one store for logs, raw output and pipes.",
    subjects: [filters.logs],
    writers: "node agents",
    readers: "control plane",
    retention: "limits",
    discard: "new",
    maxBytes: 8 * GIB,
    maxMessageBytes: MIB,
    duplicateWindowNs: 120 * SECOND_NS,
    dedupe: "message id = task, attempt, stream, offset; readers skip offsets they have",
    ordering: "task, attempt, stream",
  },
  {
    name: "DEADLETTERS",
    about: "Messages that could never be handled, with the reason in a header, for an operator to look at.",
    subjects: [filters.deadLetters],
    writers: "whoever could not handle the message",
    readers: "operators",
    retention: "limits",
    discard: "new",
    maxBytes: 256 * MIB,
    maxMessageBytes: MIB,
    duplicateWindowNs: 2 * SECOND_NS,
    dedupe: "none",
    ordering: "none",
  },
];

/** @param timing lives that follow from configuration, in milliseconds */
export function buckets(timing: {
  readonly leaseMs: number;
  readonly nodeOfflineMs: number;
}): readonly BucketSpec[] {
  return [
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
      name: "heartbeats",
      about: "Liveness; a cache, readers keep their own timers.",
      keys: "`<node>`",
      ttlMs: timing.nodeOfflineMs,
      history: 1,
      maxBytes: 64 * MIB,
    },
    {
      kind: "kv",
      name: "leases",
      about: "One active scheduler, reactor and projector a shard, by revision.",
      keys: "`<role>.<shard>`",
      ttlMs: timing.leaseMs,
      history: 1,
      maxBytes: 16 * MIB,
    },
    {
      kind: "kv",
      name: "cursors",
      about: "Places in the ledger of roles without Postgres.",
      keys: "`<role>.<shard>`",
      ttlMs: 0,
      history: 1,
      maxBytes: 16 * MIB,
    },
    {
      kind: "objects",
      name: "snapshots",
      about: "Folds of the tasks that are not over, so that a takeover does not read the whole history.",
      keys: "`live.<shard>`",
      ttlMs: 0,
      history: 1,
      maxBytes: 512 * MIB,
    },
    {
      kind: "objects",
      name: "artifacts",
      about: "Files that containers published; written by the control plane alone.",
      keys: "`<tenant>/<task>/<name>`",
      ttlMs: 0,
      history: 1,
      maxBytes: 2 * GIB,
    },
  ];
}
