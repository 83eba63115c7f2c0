import { isUtf8 } from "node:buffer";
import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import type { LogStream } from "../../../streams/subjects.ts";
import type { LogChunk } from "../../kernel/logs/logSource.ts";
import { logLineBytesMax } from "../limits.ts";
import { formatPosition, type LogPosition } from "./logPosition.ts";
import { LineSplitter, type Piece } from "./splitLines.ts";

interface StreamState {
  /** Offset of the next byte to take; one more when the record of what was dropped was taken too. */
  expected: number;
  /** Offset up to which bytes are in entries. */
  delivered: number;
  splitter: LineSplitter;
}

/**
 * Makes log entries of chunks: skips bytes it has, tells of bytes that are missing, and splits lines. Chunks of
 * an older attempt than the newest seen are stale and left out. Pure.
 */
export class OutputAssembler {
  #attempt: number;
  #streams: Record<LogStream, StreamState>;

  /** @param after where to go on; what is before it gives no entries */
  constructor(after: LogPosition) {
    this.#attempt = after.attempt;
    this.#streams = { stdout: startAt(after.stdout), stderr: startAt(after.stderr) };
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
    const entries: LogEntry[] = [];
    if (chunk.attempt < this.#attempt) return entries;
    if (chunk.attempt > this.#attempt) {
      entries.push(...this.end());
      this.#attempt = chunk.attempt;
      this.#streams = { stdout: startAt(0), stderr: startAt(0) };
    }
    const { stream, offset } = chunk;
    const state = this.#streams[stream];
    if (offset > state.expected) entries.push(...this.#missing(chunk, "gap", offset - state.expected));
    if (chunk.dropped !== null) {
      if (offset >= state.expected) entries.push(...this.#missing(chunk, "truncated", chunk.dropped));
      return entries;
    }
    const fresh = chunk.bytes.subarray(Math.max(0, state.expected - offset));
    if (fresh.length === 0) return entries;
    state.expected += fresh.length;
    entries.push(...state.splitter.push(fresh, chunk.at).map((piece) => this.#line(stream, piece)));
    return entries;
  }

  /** Gives what is held back of lines that have not ended. */
  cut(): LogEntry[] {
    return this.#both((splitter) => splitter.cut());
  }

  /** There is no more output: gives what is left. */
  end(): LogEntry[] {
    return this.#both((splitter) => splitter.end());
  }

  /** The entry for bytes that were not kept, where no chunk tells of them. Null when one did. */
  truncated(of: { stream: LogStream; stored: number; dropped: number; at: number }): LogEntry[] {
    if (of.dropped === 0 || this.#streams[of.stream].expected > of.stored) return [];
    return this.#missing({ stream: of.stream, offset: of.stored, at: of.at }, "truncated", of.dropped);
  }

  #both(pieces: (splitter: LineSplitter) => Piece[]): LogEntry[] {
    return (["stdout", "stderr"] as const).flatMap((stream) =>
      pieces(this.#streams[stream].splitter).map((piece) => this.#line(stream, piece)),
    );
  }

  #missing(
    at: { readonly stream: LogStream; readonly offset: number; readonly at: number },
    type: "truncated" | "gap",
    bytes: number,
  ): LogEntry[] {
    const state = this.#streams[at.stream];
    const entries = state.splitter.end().map((piece) => this.#line(at.stream, piece));
    const next = type === "gap" ? at.offset : at.offset + 1;
    Object.assign(state, startAt(next));
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

  #line(stream: LogStream, piece: Piece): LogEntry {
    this.#streams[stream].delivered = piece.endOffset;
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

function startAt(offset: number): StreamState {
  return {
    expected: offset,
    delivered: offset,
    splitter: new LineSplitter({ startOffset: offset, lineBytesMax: logLineBytesMax }),
  };
}
