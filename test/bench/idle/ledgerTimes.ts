import type { JetStreamManager } from "nats";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { getNextOf, isNoMessage } from "../../../services/kernel/ledger/appendEvent.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../../streams/streams.ts";
import type { LedgerEvent } from "../throughput/readEvents.ts";

/** An event with the time at which the server stored it, in milliseconds since 1970 with fractions. */
export interface TimedEvent extends LedgerEvent {
  readonly storedMs: number;
}

/** A task's history so far, oldest first. Read one by one and afterwards: nothing follows the ledger meanwhile. */
export async function timedHistory(jsm: JetStreamManager, subject: string): Promise<TimedEvent[]> {
  const events: TimedEvent[] = [];
  try {
    for (let seq = 1; ; ) {
      const message = await getNextOf(jsm, ledgerStream(DEFAULT_SHARD), subject, seq);
      const { task, body } = decodeTaskEvent(message.data);
      events.push({
        subject,
        bytes: message.data,
        task,
        type: body.type,
        storedMs: wallMsOf(message.timestamp),
      });
      seq = message.seq + 1;
    }
  } catch (error) {
    if (!isNoMessage(error)) throw error;
    return events;
  }
}

/** @param text as the server writes it: nine digits of a second or fewer, which `Date` cuts at three */
export function wallMsOf(text: string): number {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const seconds = Date.parse(text.replace(/\.\d+/, ""));
  return seconds + Number(`0.${fraction || 0}`) * 1000;
}

/**
 * What to add to `performance.now()` for the time since 1970: the wall clock alone counts whole milliseconds, and
 * the process's own idea of its start drifts from it. Takes up to a millisecond.
 */
export function wallClockOffsetMs(): number {
  const began = Date.now();
  for (;;) {
    const wall = Date.now();
    if (wall !== began) return wall - performance.now();
  }
}
