import type { EpochLink } from "../../schemas/messages/feed.ts";
import type { FeedCursor } from "./feedCursor.ts";

/** What a relay finds when it begins, or after a publish whose outcome is not known. */
export interface Found {
  readonly ledger: { readonly epoch: string; readonly lastSeq: number };
  readonly events: {
    readonly lastSeq: number;
    /** Of the newest message; null when there is no message. `foreign`: it is not the relay's. */
    readonly last: FeedCursor | "foreign" | null;
  };
  /** From the bucket. */
  readonly kept: FeedCursor | null;
  /** Repairs of the ledger that are known. */
  readonly links: readonly EpochLink[];
}

export type GoOn =
  | {
      /** The ledger's sequence after which there is work. */
      readonly after: number;
      readonly eventsSeq: number;
      /** The event that must stand at `after` in the ledger, where one does; null at the very start. */
      readonly witness: string | null;
    }
  | { readonly stop: Stop };

export interface Stop {
  readonly code: "LEDGER_REGRESSED" | "FEED_FOREIGN_MESSAGE" | "FEED_PLACE_LOST";
  readonly message: string;
}

/**
 * Where in the ledger the feed goes on. Pure.
 *
 * The feed's newest message is the truth. The kept cursor counts only where the feed was emptied and still is as
 * long as that cursor says. A feed that was made anew (no message ever) gets the whole history. A cursor of another
 * ledger counts where a repair says that every event is at its old sequence; else nothing is fed: a history that is
 * quietly shorter would look to subscribers like the true one.
 */
export function whereToGoOn({ ledger, events, kept, links }: Found): GoOn {
  if (events.lastSeq === 0) return { after: 0, eventsSeq: 0, witness: null };
  if (events.last === "foreign") {
    return stop("FEED_FOREIGN_MESSAGE", `message ${events.lastSeq} of the feed was not written by the relay`);
  }
  const cursor = events.last ?? (kept?.eventsSeq === events.lastSeq ? kept : null);
  if (cursor === null) {
    return stop("FEED_PLACE_LOST", "the feed was emptied, and its place in the ledger is not known");
  }
  if (!leadsTo(cursor.epoch, ledger.epoch, links)) {
    return stop(
      "LEDGER_REGRESSED",
      `the feed is of the ledger made at ${cursor.epoch}, this one was made at ${ledger.epoch}`,
    );
  }
  if (ledger.lastSeq < cursor.ledgerSeq) {
    const ends = `the feed reaches sequence ${cursor.ledgerSeq}, the ledger ends at ${ledger.lastSeq}`;
    return stop("LEDGER_REGRESSED", ends);
  }
  return { after: cursor.ledgerSeq, eventsSeq: cursor.eventsSeq, witness: cursor.eventId };
}

/**
 * Whether the ledger holds another event where the feed took one from. Pure.
 * @param found id of the event that stands there; null when there is none (it was erased)
 */
export function contradicts(witness: string | null, found: string | null, seq: number): Stop | null {
  if (witness === null || found === null || witness === found) return null;
  return {
    code: "LEDGER_REGRESSED",
    message: `at sequence ${seq} the feed has event ${witness}, the ledger has ${found}`,
  };
}

/** Several repairs may have begun at one ledger: any way that ends at the present one will do. */
function leadsTo(from: string, to: string, links: readonly EpochLink[]): boolean {
  const reached = new Set([from]);
  for (const epoch of reached) {
    for (const link of links) if (link.from_epoch === epoch) reached.add(link.to_epoch);
  }
  return reached.has(to);
}

function stop(code: Stop["code"], message: string): GoOn {
  return { stop: { code, message } };
}
