/**
 * What a cluster of NATS servers does not promise. A single server compares an append's expected sequence and stores it
 * in one step. A cluster compares before it proposes: two appends that expect the same sequence and come within
 * moments, or around a change of leader, may both be stored (nats-server issues 4320 and 8469; seen on 2.9.10 with
 * the leader cut off for eight seconds: 4 tasks of 300 had two `claimed`, or one event twice).
 *
 * INV-OVERTAKEN: of the messages of a subject that expect the same sequence, the first counts. The others are overtaken:
 * no reader is given one, its writer is told `conflict`, and whoever finds one deletes it. Each message holds its
 * expectation in a header, so that every reader comes to the same answer from the stream alone.
 */
import type { JetStreamClient, JetStreamManager, MsgHdrs } from "nats";
import type { Clock } from "../clock.ts";
import { Retryable } from "../errors.ts";
import type { Meter } from "../metrics/metrics.ts";
import { type Append, type AppendResult, appendEvent, getNextOf, isNoMessage } from "./appendEvent.ts";

const EXPECTED = "Nats-Expected-Last-Subject-Sequence";
/** Subjects whose newest message is remembered; one that was forgotten is asked of the server. */
const REMEMBERED_MAX = 100_000;

/** A stored message, as far as its order is concerned. */
export interface Placed {
  readonly subject: string;
  readonly seq: number;
  /** What it expected as its subject's newest; null where it expected nothing. */
  readonly expected: number | null;
}

/** The sequence that a message expected, from its headers. */
export function expectedOf(headers: MsgHdrs | undefined): number | null {
  const text = headers?.get(EXPECTED) ?? "";
  return text === "" ? null : Number(text);
}

/** Whether another message of its subject came before it with the same expectation, asked of the stream's leader. */
export async function isOvertaken(jsm: JetStreamManager, stream: string, one: Placed): Promise<boolean> {
  if (one.expected === null) return false;
  return (await getNextOf(jsm, stream, one.subject, one.expected + 1)).seq < one.seq;
}

/** Deletes an overtaken message; one that somebody else has deleted is as good. */
export async function removeOvertaken(jsm: JetStreamManager, stream: string, seq: number): Promise<void> {
  try {
    await jsm.streams.deleteMessage(stream, seq, false);
  } catch (error) {
    if (!isNoMessage(error)) throw error;
  }
}

/**
 * Appends as {@link appendEvent} does; an event that was stored and does not count is taken out again, and the answer is
 * then `conflict`, for somebody else was first.
 * @throws Retryable `LEDGER_UNAVAILABLE` also when it is stored and nobody can say whether it counts; a reader can
 */
export async function appendThatCounts(
  nats: { readonly js: JetStreamClient; readonly jsm: JetStreamManager },
  append: Append,
  clock: Clock,
  meter?: Meter,
  mayWrite?: () => Promise<void>,
): Promise<AppendResult> {
  const done = await appendEvent(nats, append, clock, meter, mayWrite);
  if (done.result === "conflict") return done;
  const { stream, subject, expected } = append;
  try {
    if (!(await isOvertaken(nats.jsm, stream, { subject, expected, seq: done.seq }))) return done;
    await removeOvertaken(nats.jsm, stream, done.seq);
    return { result: "conflict" };
  } catch (cause) {
    throw new Retryable("LEDGER_UNAVAILABLE", `whether an event on ${subject} counts cannot be told`, {
      cause,
      hint: "Repeat the request with the same Idempotency-Key.",
    });
  }
}

/** Tells a reader in order which messages count. */
export class SubjectOrder {
  readonly #ask: (one: Placed) => Promise<boolean>;
  /** Newest message that counts, by subject; the one not used for longest is the first key. */
  readonly #newest = new Map<string, number>();

  /** @param ask whether a message of a subject not remembered here is overtaken */
  constructor(ask: (one: Placed) => Promise<boolean>) {
    this.#ask = ask;
  }

  /** True when `one`, the next message of the stream, follows from what counts before it. */
  async counts(one: Placed): Promise<boolean> {
    const newest = this.#newest.get(one.subject);
    const overtaken =
      one.expected === null ? false : newest === undefined ? await this.#ask(one) : newest !== one.expected;
    if (overtaken) return false;
    this.#newest.delete(one.subject);
    this.#newest.set(one.subject, one.seq);
    if (this.#newest.size > REMEMBERED_MAX) this.#newest.delete(this.#newest.keys().next().value!);
    return true;
  }
}
