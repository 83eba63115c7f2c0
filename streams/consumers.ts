/** Every durable consumer, as data. What reads the ledger has none: it keeps its own position. */
import { DEFAULT_SHARD, eventsStream } from "./streams.ts";
import { filters } from "./subjects.ts";

const SECOND_NS = 1_000_000_000;

export interface ConsumerSpec {
  readonly stream: string;
  readonly durable: string;
  readonly about: string;
  readonly filter: string;
  /** Time without acknowledgement after which a message is delivered again, in nanoseconds. */
  readonly ackWaitNs: number;
  /** -1: for ever. What can never be handled is put aside by its reader, not dropped by a counter. */
  readonly maxDeliver: -1;
  readonly maxAckPending: number;
}

/** Reports, shared by all replicas of the control plane. */
export const transitionsConsumer: ConsumerSpec = {
  stream: "REPORTS",
  durable: "transitions",
  about: "Turns reports into events.",
  filter: filters.reports,
  ackWaitNs: 30 * SECOND_NS,
  maxDeliver: -1,
  // Reports of different tasks are handled at once; this bounds what one replica holds.
  maxAckPending: 2_000,
};

/** Dead letters of sinks, for those that an operator asks to try again. */
export const resendsConsumer: ConsumerSpec = {
  stream: "DEADLETTERS",
  durable: "resends",
  about: "Tries sinks again whose dead letter says so; passes over the others.",
  filter: filters.deadSinks,
  // A try takes at most half a minute; what waits for its next one says every few seconds that it is worked on.
  ackWaitNs: 60 * SECOND_NS,
  maxDeliver: -1,
  maxAckPending: 500,
};

/** The offers to one node. */
export function claimsConsumer(node: string): ConsumerSpec {
  return {
    stream: "CLAIMS",
    durable: node,
    about: "A node's own offers; it fetches only for free slots.",
    filter: filters.claimsOf({ node }),
    // Longer than one grant request; an offer whose node died is taken back by the reactor, not by this.
    ackWaitNs: 30 * SECOND_NS,
    maxDeliver: -1,
    maxAckPending: 20_000,
  };
}

/** The consumer of the subscriber whose credentials lie in a home, of the home's own tenant. Others have an `@` in theirs. */
export const HOME_SUBSCRIBER = "subscriber";

/**
 * The place of one outside subscriber in its tenant's feed. Cazi makes it: who may make a consumer may also name where
 * the server delivers, which may be a subject of the ledger.
 * @param of.durable by `subscriberDurable`, or {@link HOME_SUBSCRIBER}
 */
export function subscriberConsumer(of: { readonly durable: string; readonly tenant: string }): ConsumerSpec {
  return {
    stream: eventsStream(DEFAULT_SHARD),
    durable: of.durable,
    about: "An outside subscriber's place in its tenant's feed.",
    filter: filters.eventsOf({ tenant: of.tenant, transition: null }),
    // A subscriber that died gets the same events again this much later.
    ackWaitNs: 30 * SECOND_NS,
    maxDeliver: -1,
    maxAckPending: 1_000,
  };
}
