import { subjects } from "../../streams/subjects.ts";
import { Retryable } from "../kernel/errors.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import type { HeldEvent } from "./compareHistories.ts";
import { appendsInFlight, appendWaitMs } from "./limits.ts";

const NOTHING = new Uint8Array(0);

/**
 * Appends events so that each gets its old sequence (INV-SAME-SEQUENCE). Every append expects the stream's last
 * sequence, so that whatever else is written meanwhile ends this instead of moving what follows. A sequence that no
 * event has is taken by a message of its own subject; {@link removeGaps} deletes these.
 * @param from.lastSeq the stream's end; events up to there are passed over
 * @param from.end the stream ends there at least, be it with a gap
 * @param mayGoOn called before each batch; throws when another process may be repairing
 * @returns how many events were appended
 * @throws Retryable `REPAIR_INTERRUPTED` when somebody else wrote, or the server did not answer: begin again
 */
export async function fillStream(
  nats: Nats,
  events: AsyncIterable<readonly HeldEvent[]>,
  from: { readonly lastSeq: number; readonly end: number },
  mayGoOn: () => void,
): Promise<number> {
  let last = from.lastSeq;
  let appended = 0;
  let inFlight: Promise<unknown>[] = [];
  const land = async () => {
    const landing = inFlight;
    inFlight = [];
    await Promise.all(landing).catch(interrupted);
  };
  const put = async (subject: string, bytes: Uint8Array) => {
    inFlight.push(append(nats, subject, bytes, last));
    last++;
    if (inFlight.length >= appendsInFlight) await land();
  };
  const gapsUpTo = async (seq: number) => {
    while (last < seq) await put(subjects.ledgerGap(), NOTHING);
  };
  for await (const batch of events) {
    mayGoOn();
    for (const { seq, subject, bytes } of batch) {
      if (seq <= last) continue;
      await gapsUpTo(seq - 1);
      await put(subject, bytes);
      appended++;
    }
  }
  await gapsUpTo(from.end);
  await land();
  return appended;
}

async function append(nats: Nats, subject: string, bytes: Uint8Array, lastSequence: number): Promise<void> {
  const { seq } = await nats.js.publish(subject, bytes, {
    timeout: appendWaitMs,
    expect: { lastSequence },
  });
  if (seq !== lastSequence + 1)
    throw new Error(`an event got sequence ${seq} instead of ${lastSequence + 1}`);
}

function interrupted(cause: unknown): never {
  throw new Retryable(
    "REPAIR_INTERRUPTED",
    `the repair could not append to the ledger: ${(cause as Error).message}`,
    {
      cause,
      hint: "Nothing is lost, and nothing is written until it is done. Run `cazi ledger repair` again; if it comes again, stop every process of Cazi but the servers first.",
    },
  );
}

/** Deletes the messages that {@link fillStream} put where no event was. Doing it again changes nothing. */
export async function removeGaps(nats: Nats, stream: string): Promise<void> {
  await nats.jsm.streams.purge(stream, { filter: subjects.ledgerGap() });
}
