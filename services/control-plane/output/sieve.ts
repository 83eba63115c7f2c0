import type { LogStream } from "../../../streams/subjects.ts";
import type { Piece } from "./splitLines.ts";

/** Which lines are asked for. */
export interface Wanted {
  /** Read at this time or later, in milliseconds since 1970; null: any. */
  readonly sinceMs: number | null;
  /** Read before this time. */
  readonly untilMs: number | null;
  /** Text that the line holds. */
  readonly grep: string | null;
  readonly ignoreCase: boolean;
}

export const anyLine: Wanted = { sinceMs: null, untilMs: null, grep: null, ignoreCase: false };

/**
 * Tells the lines that are asked for from others. It sees lines with their secrets masked, so it finds nothing in what
 * is not shown. Text is literal: no expression of a caller can take longer than the line is long. A line that is so
 * long that it comes in pieces is found across their borders, in the piece in which the text ends.
 */
export class Sieve {
  readonly #wanted: Wanted;
  readonly #needle: Buffer;
  readonly #lowered: string;
  /** The end of a line's earlier pieces. */
  #before: Record<LogStream, Buffer | null> = { stdout: null, stderr: null };

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
    this.#needle = Buffer.from(wanted.grep ?? "");
    this.#lowered = (wanted.grep ?? "").toLowerCase();
  }

  /** False when no line that lies within these bytes is asked for. */
  mayTake(bytes: Uint8Array, at: number): boolean {
    if (!this.#isInTime(at)) return false;
    return this.#wanted.grep === null || this.#isIn(bytes);
  }

  takesLine(stream: LogStream, piece: Piece): boolean {
    return this.#holdsText(stream, piece) && this.#isInTime(piece.at);
  }

  /** Of bytes that are missing. */
  takesNote(stream: LogStream, at: number): boolean {
    this.#before[stream] = null;
    return this.#wanted.grep === null && this.#isInTime(at);
  }

  #isInTime(at: number): boolean {
    const { sinceMs, untilMs } = this.#wanted;
    return (sinceMs === null || at >= sinceMs) && (untilMs === null || at < untilMs);
  }

  #holdsText(stream: LogStream, { bytes, ending }: Piece): boolean {
    if (this.#wanted.grep === null) return true;
    const before = this.#before[stream];
    const all = before === null ? bytes : Buffer.concat([before, bytes]);
    this.#before[stream] = ending === "cut" ? this.#tail(all) : null;
    return this.#isIn(all);
  }

  #isIn({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    if (!this.#wanted.ignoreCase) return bytes.includes(this.#needle);
    return bytes.toString("utf8").toLowerCase().includes(this.#lowered);
  }

  /** Of what was looked at, as much as text that ends in the next piece may begin in; less than the text itself. */
  #tail(all: Buffer): Buffer {
    const bytes = this.#needle.length - 1;
    return bytes === 0 ? Buffer.alloc(0) : Buffer.from(all.subarray(-bytes));
  }
}
