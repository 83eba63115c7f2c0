/**
 * What a cluster of NATS servers does not promise. A single server compares an append's expected sequence and stores it
 * in one step. A cluster compares before it proposes: two appends that expect the same sequence and come within
 * moments, or around a change of leader, may both be stored (nats-server issues 4320 and 8469; seen on 2.9.10 with
 * the leader cut off for eight seconds: 4 tasks of 300 had two `claimed`, or one event twice).
 *
 * INV-OVERTAKEN: of the messages of a subject that expect the same sequence, the first counts. The others are overtaken:
 * no reader is given one, its writer is told `conflict`, and whoever finds one deletes it. Each message holds its
 * expectation in a header, so that every reader comes to the same answer from the stream alone.
 *
 * Where the newest message of a subject is deleted, servers before 2.11 or so (2.9.10 and 2.10.27 do, 2.15.1 does not) know of no
 * message of that subject any more, and take only what expects 0. So the subject is then read from its start, and the next
 * event expects 0 of the server and says in a header of ours what it follows on.
 */
import type { JetStreamClient, JetStreamManager, MsgHdrs, StoredMsg } from "nats";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import type { Clock } from "../clock.ts";
import { Retryable } from "../errors.ts";
import type { Meter } from "../metrics/metrics.ts";
import {
  type Append,
  type AppendResult,
  appendEvent,
  FOLLOWS,
  getNextOf,
  isNoMessage,
} from "./appendEvent.ts";

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
  const text = headers?.get(FOLLOWS) || headers?.get(EXPECTED) || "";
  return text === "" ? null : Number(text);
}

/** Whether another message of its subject came before it with the same expectation, asked of the stream's leader. */
export async function isOvertaken(jsm: JetStreamManager, stream: string, one: Placed): Promise<boolean> {
  if (one.expected === null) return false;
  return (await getNextOf(jsm, stream, one.subject, one.expected + 1)).seq < one.seq;
}

/** The last message of a subject, read from its start; null where there is none. Each step is a read of the leader. */
export async function lastByWalking(
  jsm: JetStreamManager,
  stream: string,
  subject: string,
): Promise<StoredMsg | null> {
  let last: StoredMsg | null = null;
  for (;;) {
    try {
      last = await getNextOf(jsm, stream, subject, (last?.seq ?? 0) + 1);
    } catch (error) {
      if (isNoMessage(error)) return last;
      throw error;
    }
  }
}

/** Deletes an overtaken message; one that somebody else has deleted is as good. */
export async function removeOvertaken(jsm: JetStreamManager, stream: string, seq: number): Promise<void> {
  try {
    await jsm.streams.deleteMessage(stream, seq, false);
  } catch (error) {
    // Servers and clusters say in several ways that it is gone; that it is gone is what counts.
    const gone = await jsm.streams.getMessage(stream, { seq }).then(() => false, isNoMessage);
    if (!gone) throw error;
  }
}

/**
 * Appends as {@link appendEvent} does, and asks the leader what stands there now. The answer is `conflict`, so that it is
 * decided again on what is there, where somebody else was first, and then the event is taken out again; and where the leader
 * has no such event at that place, for an acknowledgement may be of a leader that lost it.
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
  const { stream, subject } = append;
  try {
    const found = whatCameOf(append, done.seq, await firstAfter(nats.jsm, append));
    if (found === "counts") return done;
    if (found === "overtaken") await removeOvertaken(nats.jsm, stream, done.seq);
    else meter?.add("cazi_ledger_vanished_total", {});
    return { result: "conflict" };
  } catch (cause) {
    throw new Retryable("LEDGER_UNAVAILABLE", `whether an event on ${subject} counts cannot be told`, {
      cause,
      hint: "Repeat the request with the same Idempotency-Key.",
    });
  }
}

/**
 * What became of an event that was acknowledged at `seq`.
 * @param first the subject's first message after what the event expected, as the leader has it; null where there is none
 */
export function whatCameOf(
  { eventId }: Pick<Append, "eventId">,
  seq: number,
  first: { readonly seq: number; readonly data: Uint8Array } | null,
): "counts" | "overtaken" | "vanished" {
  if (first !== null && first.seq < seq) return "overtaken";
  return first?.seq === seq && decodeTaskEvent(first.data).id === eventId ? "counts" : "vanished";
}

async function firstAfter(jsm: JetStreamManager, { stream, subject, expected }: Append) {
  try {
    return await getNextOf(jsm, stream, subject, expected + 1);
  } catch (error) {
    if (isNoMessage(error)) return null;
    throw error;
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
