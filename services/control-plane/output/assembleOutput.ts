import { isUtf8 } from "node:buffer";
import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import type { LogStream } from "../../../streams/subjects.ts";
import type { LogChunk } from "../../kernel/logs/logSource.ts";
import {
  type MaskedPart,
  noSecrets,
  SecretMasker,
  type SecretSet,
} from "../../kernel/redaction/secretMasker.ts";
import { logLineBytesMax } from "../limits.ts";
import { formatPosition, type LogPosition } from "./logPosition.ts";
import { anyLine, Sieve } from "./sieve.ts";
import { LineSplitter, type Piece } from "./splitLines.ts";

const STREAMS = ["stdout", "stderr"] as const;

interface StreamState {
  /** Offset of the next byte to take; one more when the record of what was dropped was taken too. */
  expected: number;
  /** Offset up to which bytes are in entries. */
  delivered: number;
  /** The last bytes before the place where reading begins; null once it began. */
  context: Uint8Array | null;
  masker: SecretMasker;
  splitter: LineSplitter;
  /** Reading began within a line, maybe: what comes first is left out. */
  isRest: boolean;
}

/** How output is read. */
export interface Reading {
  readonly secrets?: SecretSet;
  readonly sieve?: Sieve;
  /** It begins at any byte, so the first line of a stream may be the rest of one: that is left out. */
  readonly withoutRest?: boolean;
}

/**
 * Makes log entries of chunks: skips bytes it has, tells of bytes that are missing, and splits lines. Chunks of
 * an older attempt than the newest seen are stale and left out. Secrets are masked before anything looks at the bytes.
 * Pure.
 */
export class OutputAssembler {
  #attempt: number;
  #secrets: SecretSet;
  readonly #sieve: Sieve;
  #streams: Record<LogStream, StreamState>;

  /**
   * @param after where to go on; what is before it gives no entries, and may hold the beginning of a secret
   */
  constructor(after: LogPosition, { secrets, sieve, withoutRest }: Reading = {}) {
    this.#attempt = after.attempt;
    this.#secrets = secrets ?? noSecrets;
    this.#sieve = sieve ?? new Sieve(anyLine);
    this.#streams = { stdout: this.#startAt(after.stdout), stderr: this.#startAt(after.stderr) };
    if (withoutRest) for (const stream of STREAMS) this.#streams[stream].isRest = after[stream] > 0;
  }

  /** What to mask from the next attempt on, and in this one where nothing of it was taken. */
  useSecrets(secrets: SecretSet): void {
    this.#secrets = secrets;
    for (const state of Object.values(this.#streams)) {
      if (state.context !== null) state.masker = new SecretMasker(secrets);
    }
  }

  get position(): LogPosition {
    const { stdout, stderr } = this.#streams;
    return { attempt: this.#attempt, stdout: stdout.delivered, stderr: stderr.delivered };
  }

  /** True when all of a stream's first `bytes` bytes were taken. */
  has(of: { readonly attempt: number; readonly stream: LogStream; readonly bytes: number }): boolean {
    return this.#attempt === of.attempt && this.#streams[of.stream].expected >= of.bytes;
  }

  take(chunk: LogChunk): LogEntry[] {
    return [...this.entriesOf(chunk)];
  }

  /**
   * The same, each entry when it is asked for: a chunk may hold many times what a page has room for. Who stops before the
   * last one has done with this assembler.
   */
  *entriesOf(chunk: LogChunk): Generator<LogEntry> {
    if (chunk.attempt < this.#attempt) return;
    if (chunk.attempt > this.#attempt) {
      yield* this.end();
      this.#begin(chunk.attempt);
    }
    const { stream, offset } = chunk;
    const state = this.#streams[stream];
    if (offset > state.expected) yield* this.#missing(chunk, "gap", offset - state.expected);
    if (chunk.dropped !== null) {
      if (offset >= state.expected) yield* this.#missing(chunk, "truncated", chunk.dropped);
      return;
    }
    const known = Math.max(0, state.expected - offset);
    if (known > 0) this.#remember(state, chunk.bytes.subarray(0, known));
    const fresh = chunk.bytes.subarray(known);
    if (fresh.length === 0) return;
    state.expected += fresh.length;
    if (state.context !== null) state.masker.prime(state.context);
    state.context = null;
    yield* this.#split(stream, state.masker.push(fresh, chunk.at));
  }

  /** Of bytes before the beginning, as many as a secret may reach into what comes. */
  #remember(state: StreamState, bytes: Uint8Array): void {
    const { reach } = this.#secrets;
    if (state.context === null || reach === 0) return;
    state.context = Buffer.concat([state.context, bytes]).subarray(-reach);
  }

  *#split(stream: LogStream, parts: readonly MaskedPart[]): Generator<LogEntry> {
    const state = this.#streams[stream];
    for (const { bytes, at } of parts) {
      if (this.#sieve.mayTake(bytes, at)) {
        yield* this.#lines(stream, state.splitter.pieces(bytes, at));
        continue;
      }
      const { pieces, endOffset } = state.splitter.pass(bytes, at);
      yield* this.#lines(stream, pieces);
      state.delivered = endOffset;
    }
  }

  *#lines(stream: LogStream, pieces: Iterable<Piece>): Generator<LogEntry> {
    for (const piece of pieces) {
      const entry = this.#line(stream, piece);
      if (entry !== null) yield entry;
    }
  }

  /** Gives what is held back of lines that have not ended. */
  cut(): LogEntry[] {
    return STREAMS.flatMap((stream) => [...this.#lines(stream, this.#streams[stream].splitter.cut())]);
  }

  /** There is no more output: gives what is left. */
  end(): LogEntry[] {
    const entries: LogEntry[] = [];
    for (const stream of STREAMS) entries.push(...this.#endOf(stream));
    return entries;
  }

  #endOf(stream: LogStream): LogEntry[] {
    const { masker, splitter } = this.#streams[stream];
    const entries = [...this.#split(stream, masker.end())];
    return [...entries, ...this.#lines(stream, splitter.end())];
  }

  /**
   * What an attempt's end counted and no chunk told of: bytes that are not in the store, or not any more, and those that were
   * not kept. There is no more output of that attempt and those before it.
   */
  missingAtEnd(of: {
    readonly attempt: number;
    readonly stream: LogStream;
    readonly stored: number;
    readonly dropped: number;
    readonly at: number;
  }): LogEntry[] {
    const { attempt, stream, stored, dropped, at } = of;
    if (attempt > this.#attempt) this.#begin(attempt);
    const state = this.#streams[stream];
    const absent = stored - state.expected;
    const entries = absent > 0 ? this.#missing({ stream, offset: stored, at }, "gap", absent) : [];
    if (dropped === 0 || state.expected > stored) return entries;
    return [...entries, ...this.#missing({ stream, offset: stored, at }, "truncated", dropped)];
  }

  #begin(attempt: number): void {
    this.#attempt = attempt;
    this.#streams = { stdout: this.#startAt(0), stderr: this.#startAt(0) };
  }

  #missing(
    at: { readonly stream: LogStream; readonly offset: number; readonly at: number },
    type: "truncated" | "gap",
    bytes: number,
  ): LogEntry[] {
    const state = this.#streams[at.stream];
    const entries = this.#endOf(at.stream);
    const next = type === "gap" ? at.offset : at.offset + 1;
    Object.assign(state, this.#startAt(next));
    if (!this.#sieve.takesNote(at.stream, at.at)) return entries;
    const base = { attempt: this.#attempt, stream: at.stream, time: toTimestamp(at.at) };
    entries.push({
      position: formatPosition(this.position),
      ...base,
      type,
      text: "",
      ending: "end",
      dropped_bytes: bytes,
    });
    return entries;
  }

  #startAt(offset: number): StreamState {
    return {
      expected: offset,
      delivered: offset,
      context: new Uint8Array(),
      masker: new SecretMasker(this.#secrets),
      splitter: new LineSplitter({ startOffset: offset, lineBytesMax: logLineBytesMax }),
      isRest: false,
    };
  }

  /** Null for one that is not asked for. */
  #line(stream: LogStream, piece: Piece): LogEntry | null {
    const state = this.#streams[stream];
    state.delivered = piece.endOffset;
    const { isRest } = state;
    state.isRest = false;
    if (!this.#sieve.takesLine(stream, piece) || isRest) return null;
    const text = piece.bytes.toString("utf8");
    return {
      position: formatPosition(this.position),
      attempt: this.#attempt,
      stream,
      time: toTimestamp(piece.at),
      type: "line",
      text,
      ...(isUtf8(piece.bytes) ? {} : { base64: piece.bytes.toString("base64") }),
      ending: piece.ending,
      dropped_bytes: 0,
    };
  }
}
