import type { StoredMsg } from "nats";
import { decodeTaskEvent, type TaskEvent } from "../../../schemas/taskEvents.ts";

/** An event of one task with its place. */
export interface PlacedEvent {
  readonly seq: number;
  readonly event: TaskEvent;
}

/**
 * The events of a subject from its first on, one after the other: the server finds each by the one before.
 * @param next the subject's first message at or after a sequence; null when there is none
 * @returns at most `max`
 */
export async function readHistory(
  next: (seq: number) => Promise<StoredMsg | null>,
  max: number,
): Promise<readonly PlacedEvent[]> {
  const events: PlacedEvent[] = [];
  for (let seq = 1; events.length < max; ) {
    const message = await next(seq);
    if (message === null) break;
    events.push({ seq: message.seq, event: decodeTaskEvent(message.data) });
    seq = message.seq + 1;
  }
  return events;
}
