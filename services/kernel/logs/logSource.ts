import { DeliverPolicy, type JsMsg } from "nats";
import { filters, type LogStream } from "../../../streams/subjects.ts";
import type { Clock } from "../clock.ts";
import { Retryable } from "../errors.ts";
import type { Nats } from "../nats/connectNats.ts";
import { createLogLookup, type LogLookup, unavailable } from "./logLookup.ts";
import { toChunk } from "./toChunk.ts";

/** Bytes of a task's output as a node stored them. */
export interface LogChunk {
  readonly node: string;
  readonly attempt: number;
  readonly stream: LogStream;
  /** Of the first byte, within its attempt and stream. */
  readonly offset: number;
  /** When it was read, in milliseconds since 1970. */
  readonly at: number;
  readonly bytes: Uint8Array;
  /** Set on the record, without bytes, that so many bytes beyond the cap were not kept. */
  readonly dropped: number | null;
  /** Stored chunks after this one. */
  readonly pending: number;
  /** Place in LOGS. */
  readonly seq: number;
}

export interface LogFilter {
  readonly task: string;
  /** Null: all attempts. */
  readonly attempt: number | null;
  /** Null: both. */
  readonly stream: LogStream | null;
  /** Unset or null: whatever node says so. */
  readonly node?: string | null;
}

export interface LogReading {
  /** Chunks stored when the reading began. */
  readonly pending: number;
  /**
   * In the order in which they were stored; a chunk may come twice, as a node may have stored it twice. Ending
   * the iteration ends the reading.
   */
  readonly chunks: AsyncIterableIterator<LogChunk>;
}

/** What nodes stored of tasks' output. */
export interface LogSource extends LogLookup {
  /** What is stored now, from a place in LOGS on. @throws Retryable `LOGS_UNAVAILABLE` */
  read(filter: LogFilter, startSeq: number): Promise<LogReading>;
  /** What is stored from a place in LOGS on, and then what comes, until the signal. */
  follow(filter: LogFilter, startSeq: number, signal: AbortSignal): Promise<LogReading>;
}

/** Messages asked for at once: with chunks of 128 KiB this is what one slow reader holds in memory. */
const logFetchMessages = 32;
/** Of the first fetch of what is stored; each later one asks for twice as many. A page needs one chunk or two. */
const firstFetchMessages = 2;
/** A fetch that brings nothing is asked again after this. */
const logFetchExpiresMs = 20_000;
/** Reading what is stored takes less; a server that dies in between must not hold the request. */
const logReadMs = 30_000;
/** How soon a follower that lost its consumer makes another. */
const REOPEN_PAUSE_MS = 200;
/** Of one fetch while there is something to fetch: it comes at once or the server is gone. */
const STORED_EXPIRES_MS = 2_000;

/**
 * Reads the stream LOGS. A fetch at a time: what a slow reader has not taken stays on the server.
 *
 * A fetch that ends early is not gone on from: its time is over however slowly its reader takes, and what is then on
 * its way is dropped here and counted as read there. Nor does a consumer, which lives in the server's memory,
 * outlive the server. So another one begins after the last chunk that was taken.
 */
export function createLogSource(ports: { readonly nats: Nats; readonly clock: Clock }): LogSource {
  const { nats, clock } = ports;

  async function open(filter: LogFilter, startSeq: number) {
    const consumer = await nats.js.consumers.get("LOGS", {
      filterSubjects: filters.logsOfAttempt(filter),
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: startSeq,
    });
    const info = await consumer.info();
    return { consumer, pending: info.num_pending };
  }

  async function openOrFail(filter: LogFilter, startSeq: number) {
    try {
      return await open(filter, startSeq);
    } catch (error) {
      throw unavailable(filter, error);
    }
  }

  async function* stored(filter: LogFilter, startSeq: number, first: Awaited<ReturnType<typeof open>>) {
    let deadline = clock.monotonicMs() + logReadMs;
    let opened = first;
    let seq = startSeq - 1;
    let { pending } = first;
    let ahead = firstFetchMessages;
    try {
      while (pending > 0) {
        const max_messages = Math.min(pending, ahead);
        ahead = Math.min(2 * ahead, logFetchMessages);
        let got = 0;
        for await (const message of await opened.consumer.fetch({
          max_messages,
          expires: STORED_EXPIRES_MS,
        })) {
          got++;
          ({ seq } = message);
          pending = message.info.pending;
          const chunk = toChunk(delivered(message));
          if (chunk) yield chunk;
        }
        if (got > 0) deadline = clock.monotonicMs() + logReadMs;
        else if (clock.monotonicMs() > deadline) throw unavailable(filter, null);
        if (got === max_messages) continue;
        const again = await open(filter, seq + 1).catch(() => null);
        if (again === null) {
          await pause(REOPEN_PAUSE_MS);
          continue;
        }
        dispose(opened.consumer);
        opened = again;
        pending = again.pending;
      }
    } finally {
      dispose(opened.consumer);
    }
  }

  async function* following(
    filter: LogFilter,
    startSeq: number,
    of: { readonly first: Awaited<ReturnType<typeof open>>; readonly signal: AbortSignal },
  ): AsyncGenerator<LogChunk> {
    const { first, signal } = of;
    let seq = startSeq - 1;
    let opened: Awaited<ReturnType<typeof open>> | null = first;
    while (!signal.aborted) {
      try {
        opened ??= await open(filter, seq + 1);
        const began = clock.monotonicMs();
        let got = 0;
        const fetched = await opened.consumer.fetch({
          max_messages: logFetchMessages,
          expires: logFetchExpiresMs,
        });
        const close = () => void fetched.close();
        signal.addEventListener("abort", close);
        const forget = nats.onReconnect(close);
        try {
          for await (const message of fetched) {
            got++;
            seq = message.seq;
            const chunk = toChunk(delivered(message));
            if (chunk) yield chunk;
          }
        } finally {
          signal.removeEventListener("abort", close);
          forget();
          const isLost = got === 0 && clock.monotonicMs() - began < logFetchExpiresMs / 2;
          if (isLost || (got > 0 && got < logFetchMessages)) {
            dispose(opened.consumer);
            opened = null;
          }
        }
      } catch (error) {
        if (error instanceof Retryable) throw error;
        opened = null;
      }
      if (opened === null && !signal.aborted) await pause(REOPEN_PAUSE_MS);
    }
    if (opened !== null) dispose(opened.consumer);
  }

  return {
    read: async (filter, startSeq) => {
      const opened = await openOrFail(filter, startSeq);
      return { pending: opened.pending, chunks: stored(filter, startSeq, opened) };
    },
    follow: async (filter, startSeq, signal) => {
      const first = await openOrFail(filter, startSeq);
      return { pending: first.pending, chunks: following(filter, startSeq, { first, signal }) };
    },
    ...createLogLookup(nats),
  };
}

function delivered(message: JsMsg) {
  const { subject, seq, data, headers } = message;
  return { subject, seq, data, headers, pending: message.info.pending };
}

function dispose(consumer: { delete(): Promise<boolean> }): void {
  // It ends by itself after a while; the answer changes nothing.
  void consumer.delete().catch(() => undefined);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
