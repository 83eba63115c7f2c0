/**
 * What a replica may show that the cluster does not hold. A server that led and was cut off, or stood still, comes back
 * with entries that nobody else stored. nats-server 2.9.10 does not always take them back: where its log is as long as the
 * new leader's, it goes on behind its own entry (`processAppendEntry` compares the term, says so and stores), so from
 * there on two servers hold different messages under one sequence. A consumer reads from whichever server it was put on.
 *
 * INV-LEADER-READ: on a cluster no reader is given a message but as the stream's leader holds it, asked at that time.
 * A consumer only says that there is something to ask for.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { JetStreamManager, MsgHdrs, StoredMsg } from "nats";
import { getNextOf, isNoMessage } from "./appendEvent.ts";

/** Questions that are open at once: a reader that is behind would wait for each else. */
export const leaderQuestionsMax = 64;

/** A message of the stream, from a consumer or from the leader. */
export interface ReadMessage {
  readonly seq: number;
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
}

/** A server that led before, or leads since a moment ago, learns within this time how far the stream is. */
const settlesMs = 1_000;
const settlesTries = 3;

/**
 * The message at a sequence as the stream's leader holds it; null when it was deleted there.
 *
 * That it has no such message is not enough. One that was elected a moment ago may not have applied yet what a consumer on another
 * server has delivered, and the answer to a second question, how far it is, comes later or from another server: both together
 * looked like a deletion, and every role skipped the event (nats-server 2.15.1 at a load of 16, the leader stopped for six
 * seconds: 31 of 5,405 tasks stuck). What proves a deletion is a later message in the same answer, for a server applies them in
 * order. At the end of the stream there is none; there it counts when it was said several times, far apart.
 * @param pause waits so many milliseconds
 * @throws Error when the leader has not come that far, or nobody answers: read again later
 */
export async function askLeader(
  jsm: Pick<JetStreamManager, "streams">,
  stream: string,
  seq: number,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<ReadMessage | null> {
  const found = await orNull(jsm.streams.getMessage(stream, { seq }));
  if (found !== null) return read(found);
  for (let tries = 1; ; tries++) {
    const next = await orNull(getNextOf(jsm, stream, ">", seq));
    if (next !== null) return next.seq === seq ? read(next) : null;
    const { state } = await jsm.streams.info(stream);
    if (state.last_seq < seq)
      throw new Error(`sequence ${seq} was read of ${stream}, whose leader ends at ${state.last_seq}`);
    if (tries === settlesTries) return null;
    await pause(settlesMs);
  }
}

function read({ seq, subject, data, header }: StoredMsg): ReadMessage {
  return { seq, subject, data, headers: header };
}

async function orNull(asked: Promise<StoredMsg>): Promise<StoredMsg | null> {
  try {
    return await asked;
  } catch (error) {
    if (isNoMessage(error)) return null;
    throw error;
  }
}

/**
 * Asks about each of `messages` as it comes, at most `atOnce` at a time, and gives the answers in order.
 * @throws what `messages` or a question throws, in its place
 */
export async function* askAhead<M, A>(
  messages: AsyncIterable<M>,
  ask: (message: M) => Promise<A>,
  atOnce: number,
): AsyncGenerator<{ readonly message: M; readonly answer: A }> {
  const source = messages[Symbol.asyncIterator]();
  const asked: { readonly message: M; readonly answer: Promise<A> }[] = [];
  let next = source.next();
  next.catch(() => undefined);
  for (;;) {
    const first = asked[0];
    const answered = first?.answer.then(() => null);
    const came =
      answered === undefined
        ? await next
        : await (asked.length < atOnce ? Promise.race([answered, next]) : answered);
    if (came === null || came.done) {
      if (first === undefined) return;
      asked.shift();
      yield { message: first.message, answer: await first.answer };
    } else {
      const answer = ask(came.value);
      // Whoever comes to it is told; one before it may have thrown by then.
      answer.catch(() => undefined);
      asked.push({ message: came.value, answer });
      next = source.next();
      next.catch(() => undefined);
    }
  }
}
