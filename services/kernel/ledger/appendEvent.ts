import { headers, type JetStreamClient, type JetStreamManager, NatsError } from "nats";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import type { Clock } from "../clock.ts";
import { CaziError, Retryable } from "../errors.ts";
import { type Meter, noMeter } from "../metrics/metrics.ts";
import { isWrongSequence } from "../nats/natsError.ts";

/** A cluster that elects a new leader answers nobody for about 6 s. */
const RETRY_BUDGET_MS = 15_000;
const ACK_WAIT_MS = 4_000;
const RETRY_PAUSE_MS = 250;

export interface Append {
  readonly stream: string;
  readonly subject: string;
  /** Sequence of the subject's newest message; 0 for a new aggregate. */
  readonly expected: number;
  /** What the server takes for it, where that is another: see `overtaken.ts`. */
  readonly place?: number;
  readonly eventId: string;
  readonly bytes: Uint8Array;
}

/** `conflict`: somebody else appended first; load again and decide again. */
export type AppendResult =
  | { readonly result: "appended"; readonly seq: number }
  | { readonly result: "conflict" };

/**
 * Appends one event if its subject has not moved on since it was read.
 *
 * A publish without an answer is neither done nor failed. Then the subject is read after the expected sequence,
 * looking for our own event id, because somebody may have appended on top of ours; only when it is not there is
 * the same append tried again. INV-APPEND-ONCE: an event id is in its subject at most once.
 * @param mayWrite asked before each further try: the server may have come back with less than it had
 * @throws Retryable `LEDGER_UNAVAILABLE` when the budget is spent and the outcome is still unknown; `LEDGER_REGRESSED`
 */
export async function appendEvent(
  nats: { readonly js: JetStreamClient; readonly jsm: JetStreamManager },
  append: Append,
  clock: Clock,
  meter: Meter = noMeter,
  mayWrite: () => Promise<void> = async () => undefined,
): Promise<AppendResult> {
  const deadline = clock.monotonicMs() + RETRY_BUDGET_MS;
  let unknown: unknown = null;
  for (;;) {
    try {
      if (unknown !== null) await mayWrite();
      const ack = await nats.js.publish(append.subject, append.bytes, {
        timeout: ACK_WAIT_MS,
        expect: { lastSubjectSequence: append.place ?? append.expected },
        ...(append.place === undefined ? {} : { headers: followsOf(append.expected) }),
      });
      return { result: "appended", seq: ack.seq };
    } catch (error) {
      const conflict = isWrongSequence(error);
      // The first refusal is a plain conflict. After an unknown outcome the "other" event may be our own.
      if (conflict && unknown === null) return { result: "conflict" };
      if (error instanceof CaziError && error.code === "LEDGER_REGRESSED") throw error;
      if (!conflict && !isUnknownOutcome(error)) throw unavailable(append, error);
      if (unknown === null) meter.add("cazi_ledger_unknown_outcomes_total", {});
      unknown = error;
    }
    const found = await findOwn(nats.jsm, append, unknown);
    if (found.result !== "not found") return found;
    if (clock.monotonicMs() > deadline) throw unavailable(append, unknown);
    await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
  }
}

/** Says what an event follows on, beside what the server compares. */
export const FOLLOWS = "Cazi-Follows";

function followsOf(expected: number) {
  const said = headers();
  said.set(FOLLOWS, String(expected));
  return said;
}

async function findOwn(
  jsm: JetStreamManager,
  append: Append,
  unknown: unknown,
): Promise<AppendResult | { readonly result: "not found" }> {
  let seq = append.expected + 1;
  try {
    for (;;) {
      const message = await getNextOf(jsm, append.stream, append.subject, seq);
      if (decodeTaskEvent(message.data).id === append.eventId)
        return { result: "appended", seq: message.seq };
      seq = message.seq + 1;
    }
  } catch (error) {
    if (!isNoMessage(error)) return { result: "not found" };
    // Others have appended and ours is not among them: it never will be, since its expectation is gone.
    return seq > append.expected + 1 || isWrongSequence(unknown)
      ? { result: "conflict" }
      : { result: "not found" };
  }
}

/**
 * The subject's first message at or after `seq`, from the stream's leader.
 * The server has this query since 2.9; the client sends it but leaves it out of its types.
 */
export function getNextOf(
  jsm: Pick<JetStreamManager, "streams">,
  stream: string,
  subject: string,
  seq: number,
) {
  return jsm.streams.getMessage(stream, { seq, next_by_subj: subject } as { seq: number });
}

/**
 * True for the server's answer that a subject, or what comes after a sequence of it, has no message. That there is no
 * stream is no such answer: a task of a ledger that is gone is not an absent task.
 */
export function isNoMessage(error: unknown): boolean {
  const { code, err_code } = (error instanceof NatsError && error.api_error) || { code: 0, err_code: 0 };
  return err_code === NO_MESSAGE || (code === 404 && err_code !== NO_STREAM);
}

const NO_MESSAGE = 10037;
const NO_STREAM = 10059;

/** No answer, or an answer that does not say whether it was stored. */
function isUnknownOutcome(error: unknown): boolean {
  // The gate could not tell yet.
  if (error instanceof Retryable) return true;
  if (!(error instanceof NatsError)) return false;
  return error.api_error === undefined || error.api_error.code >= 500;
}

function unavailable(append: Append, cause: unknown): Retryable {
  return new Retryable("LEDGER_UNAVAILABLE", `the ledger did not confirm an event on ${append.subject}`, {
    cause,
    hint: "Whether it was stored is unknown. Repeat the request with the same Idempotency-Key.",
  });
}
