import { DeliverPolicy, NatsError } from "nats";
import { isLedgerGap } from "../../streams/subjects.ts";
import { isNoMessage } from "../kernel/ledger/appendEvent.ts";
import { askAhead, askLeader, leaderQuestionsMax, type ReadMessage } from "../kernel/ledger/askLeader.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import type { HeldEvent } from "./compareHistories.ts";
import { readEventsMax } from "./limits.ts";

/** A stream as it is now. */
export interface StreamLook {
  /** Its creation time: the epoch. */
  readonly epoch: string;
  readonly lastSeq: number;
  /** Sequences up to `lastSeq` at which there is no message. */
  readonly absent: number;
}

/** @returns null when there is no such stream */
export async function lookAtStream(nats: Nats, stream: string): Promise<StreamLook | null> {
  try {
    const { created, state } = await nats.jsm.streams.info(stream);
    return {
      epoch: String(created),
      lastSeq: state.last_seq,
      absent: state.last_seq - state.messages,
    };
  } catch (error) {
    if (isStreamNotFound(error)) return null;
    throw error;
  }
}

export function isStreamNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.err_code === 10059;
}

/** The server waits this long for messages that its index counts and that it cannot read. */
const FETCH_EXPIRES_MS = 1_000;

/**
 * A stream's messages in order, in batches: sequences above `after` up to `end`. Messages that the server cannot read
 * (a flipped bit in a file) are left out by it without a word, so what is not given here is missing.
 * @param of.unreadable looks for a readable message at so many sequences only, then ends and tells the last of them: what
 * follows is not known. A file that is damaged at a length may be read anew for each: seconds for a thousand.
 * @throws what the server answers when it cannot say
 */
export async function* readStream(
  nats: Nats,
  of: {
    readonly stream: string;
    readonly after: number;
    readonly end: number;
    readonly unreadable?: { readonly max: number; readonly onMore: (seq: number) => void };
  },
): AsyncGenerator<readonly HeldEvent[]> {
  let after = of.after;
  // There may be no stream, and then nothing of it to read.
  let replicated: boolean | null = null;
  while (after < of.end) {
    replicated ??= await isReplicated(nats, of.stream);
    const read = await readRun(nats, { ...of, after, replicated });
    if (read.events.length > 0) yield read.events;
    if (read.ended) return;
    after = read.last;
    if (read.filled) continue;
    // It counts more than it delivers: what is left is asked for one by one.
    const end = Math.min(of.end, after + (of.unreadable?.max ?? of.end));
    const next = await firstReadable(nats, { stream: of.stream, after, end });
    if (next === null) {
      if (end < of.end) of.unreadable?.onMore(end);
      return;
    }
    after = next - 1;
  }
}

/** Some messages through a consumer. `ended`: the server said that nothing follows. `filled`: it gave all that was asked for. */
async function readRun(
  nats: Nats,
  of: {
    readonly stream: string;
    readonly after: number;
    readonly end: number;
    readonly replicated: boolean;
  },
): Promise<{ events: HeldEvent[]; last: number; ended: boolean; filled: boolean }> {
  const consumer = await nats.js.consumers.get(of.stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: of.after + 1,
  });
  const given: ReadMessage[] = [];
  let last = of.after;
  let pending: number | null = null;
  const wanted = Math.min(readEventsMax, of.end - of.after);
  try {
    for await (const message of await consumer.fetch({ max_messages: wanted, expires: FETCH_EXPIRES_MS })) {
      last = message.seq;
      pending = message.info.pending;
      if (last > of.end) break;
      given.push(message);
      // Fewer are there than sequences: do not wait for the rest.
      if (pending === 0) break;
    }
  } finally {
    await consumer.delete().catch(() => false);
  }
  const messages = of.replicated ? await asTheLeaderHolds(nats, of.stream, given) : given;
  const events = messages
    .filter(({ subject }) => !isLedgerGap(subject))
    .map(({ seq, subject, data }) => ({ seq, subject, bytes: data }));
  return { events, last, ended: pending === 0 || last >= of.end, filled: given.length === wanted };
}

async function isReplicated(nats: Nats, stream: string): Promise<boolean> {
  return (await nats.jsm.streams.info(stream)).config.num_replicas > 1;
}

/** INV-LEADER-READ: the guard and every reader go by the leader, so what is compared and repaired must as well. */
async function asTheLeaderHolds(
  nats: Nats,
  stream: string,
  given: readonly ReadMessage[],
): Promise<readonly ReadMessage[]> {
  async function* each(): AsyncGenerator<ReadMessage> {
    yield* given;
  }
  const held: ReadMessage[] = [];
  const ask = ({ seq }: ReadMessage) => askLeader(nats.jsm, stream, seq);
  for await (const { answer } of askAhead(each(), ask, leaderQuestionsMax))
    if (answer !== null) held.push(answer);
  return held;
}

async function firstReadable(
  nats: Nats,
  of: { readonly stream: string; readonly after: number; readonly end: number },
): Promise<number | null> {
  for (let seq = of.after + 1; seq <= of.end; seq++) if (await hasMessage(nats, of.stream, seq)) return seq;
  return null;
}

/** Whether the server gives a message at a sequence. */
export async function hasMessage(nats: Nats, stream: string, seq: number): Promise<boolean> {
  try {
    await nats.jsm.streams.getMessage(stream, { seq });
    return true;
  } catch (error) {
    if (isNoMessage(error) && !isStreamNotFound(error)) return false;
    throw error;
  }
}
