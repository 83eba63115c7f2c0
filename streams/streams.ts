/**
 * Every stream and bucket, as data: each option that matters is written out, with the reason beside what is
 * not the default. `ensure.ts` makes the server agree; `README.md` is generated from here.
 */
import { filters } from "./subjects.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const SECOND_NS = 1_000_000_000;
const DAY_MS = 86_400_000;

export interface StreamSpec {
  readonly name: string;
  readonly about: string;
  readonly subjects: readonly string[];
  readonly writers: string;
  readonly readers: string;
  /** `limits` keeps for ever; `workqueue` removes what was acknowledged. */
  readonly retention: "limits" | "workqueue";
  /**
   * `new`: a full stream refuses, so that nobody is told "stored" while something older vanishes. `old` only where
   * the stream is a copy: then the oldest messages give way, never the newest.
   */
  readonly discard: "new" | "old";
  /**
   * Age in milliseconds after which its writer removes messages, all but the newest; null for no such bound. The
   * server's own `max_age` would take the newest too, and with it the writer's place.
   */
  readonly keptMs: number | null;
  readonly maxBytes: number;
  readonly maxMessageBytes: number;
  /** Window of the server's own dedupe by message id, in nanoseconds. It costs memory per message in it. */
  readonly duplicateWindowNs: number;
  readonly dedupe: string;
  readonly ordering: string;
}

/** The one shard of the default layout. A tenant maps to one shard; order holds within it. */
export const DEFAULT_SHARD = 0;
export const ledgerStream = (shard: number) => `LEDGER_${shard}`;
export const eventsStream = (shard: number) => `EVENTS_${shard}`;

export const streams: readonly StreamSpec[] = [
  {
    name: ledgerStream(DEFAULT_SHARD),
    about: "Truth. One subject an aggregate; its last message is its current state.",
    subjects: [filters.ledger],
    writers: "control plane, scheduler, reactor, by compare-and-set",
    readers: "every role, in order, from its own position",
    retention: "limits",
    discard: "new",
    keptMs: null,
    maxBytes: 8 * GIB,
    // A spec is at most 256 KiB; a message beyond this is a bug, not a task.
    maxMessageBytes: MIB,
    // The expected subject sequence is the dedupe, for ever; no message ids are sent, so the window stays small.
    duplicateWindowNs: 2 * SECOND_NS,
    dedupe: "`Nats-Expected-Last-Subject-Sequence`, then the event id",
    ordering: "shard",
  },
  {
    name: eventsStream(DEFAULT_SHARD),
    about:
      "The public feed: every transition once, in the ledger's order, with CloudEvents attributes in headers.",
    subjects: [filters.events],
    writers: "relay",
    readers: "subscribers; control plane, for server-sent events",
    retention: "limits",
    // A copy: what goes is still in the ledger. A feed that refused would stop every subscriber over one that is slow.
    discard: "old",
    // Longer than a weekend and a holiday; who was away longer is told of the gap and reads the tasks themselves.
    keptMs: 14 * DAY_MS,
    maxBytes: 4 * GIB,
    // The ledger's message and some 600 bytes of headers; both limits are the server's own largest message.
    maxMessageBytes: MIB,
    // The expected last sequence is the dedupe, for ever; no message ids are sent.
    duplicateWindowNs: 2 * SECOND_NS,
    dedupe: "`Nats-Expected-Last-Sequence`; subscribers by `ce-id`",
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
    keptMs: null,
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
    keptMs: null,
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
    keptMs: null,
    maxBytes: 8 * GIB,
    maxMessageBytes: MIB,
    duplicateWindowNs: 120 * SECOND_NS,
    dedupe: "message id = fence, stream, offset; readers skip offsets they have",
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
    keptMs: null,
    maxBytes: 256 * MIB,
    maxMessageBytes: MIB,
    duplicateWindowNs: 2 * SECOND_NS,
    dedupe: "of sinks: `Nats-Expected-Last-Subject-Sequence`",
    ordering: "none",
  },
];
