import { cloudEventHeaders, cloudEventOf } from "../../schemas/cloudEvents.ts";
import { feedHeaders } from "../../schemas/messages/feed.ts";
import { parseLedgerSubject, subjects } from "../../streams/subjects.ts";
import { invariant } from "../kernel/errors.ts";
import type { StoredEvent } from "../kernel/ledger/storedEvent.ts";

/** One message of the feed, complete. */
export interface FeedMessage {
  readonly subject: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The ledger's very bytes. */
  readonly bytes: Uint8Array;
}

/**
 * What goes into the feed for an event. Pure: the same event at the same place gives the same message, whichever
 * relay makes it, so that one that is late repeats what is there, and is refused.
 * @param place.eventsSeq sequence that the message will have
 */
export function feedMessageOf(
  stored: StoredEvent,
  place: { readonly epoch: string; readonly eventsSeq: number },
): FeedMessage {
  const { event, bytes } = stored;
  const of = parseLedgerSubject(stored.subject);
  invariant(of !== null, "only events of the ledger are relayed");
  return {
    subject: subjects.event({ ...of, transition: event.body.type }),
    headers: [
      ...cloudEventHeaders(cloudEventOf(event, bytes)),
      [feedHeaders.epoch, place.epoch],
      [feedHeaders.ledgerSeq, String(stored.seq)],
      [feedHeaders.eventsSeq, String(place.eventsSeq)],
    ],
    bytes,
  };
}
