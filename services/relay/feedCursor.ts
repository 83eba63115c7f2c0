import { feedHeaders, type KeptCursor } from "../../schemas/messages/feed.ts";

/** Where the feed is in the ledger: its message `eventsSeq` is the ledger's event `ledgerSeq`. */
export interface FeedCursor {
  /** The ledger's life. */
  readonly epoch: string;
  readonly ledgerSeq: number;
  readonly eventsSeq: number;
  /** Id of that event: a number alone may have been overtaken by another history. */
  readonly eventId: string;
}

/** The cursor that a message of the feed carries; null for a message that is not the relay's. */
export function cursorOf(message: {
  readonly seq: number;
  readonly header: (name: string) => string | undefined;
}): FeedCursor | null {
  const epoch = message.header(feedHeaders.epoch);
  const ledgerSeq = Number(message.header(feedHeaders.ledgerSeq));
  const eventsSeq = Number(message.header(feedHeaders.eventsSeq));
  // An event's id has no character that would be encoded: it stands in the header as it is.
  const eventId = message.header("ce-id");
  const isOurs =
    epoch && eventId && Number.isSafeInteger(ledgerSeq) && ledgerSeq > 0 && eventsSeq === message.seq;
  return isOurs ? { epoch, ledgerSeq, eventsSeq, eventId } : null;
}

export function toKept(cursor: FeedCursor): KeptCursor {
  const { epoch, ledgerSeq, eventsSeq, eventId } = cursor;
  return { epoch, ledger_seq: ledgerSeq, events_seq: eventsSeq, event_id: eventId };
}

export function fromKept(kept: KeptCursor): FeedCursor {
  return {
    epoch: kept.epoch,
    ledgerSeq: kept.ledger_seq,
    eventsSeq: kept.events_seq,
    eventId: kept.event_id,
  };
}
