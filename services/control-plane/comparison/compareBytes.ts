/** Two outputs, byte by byte, however they come in pieces and however long they are. Pure but for what it reads. */
import { isUtf8 } from "node:buffer";
import type { OutputDifference } from "../../../schemas/api/comparison.ts";
import { endOfCharacters } from "../output/endOfCharacters.ts";

/** Shown before the first difference, and from it on. */
const BYTES_BEFORE = 32;
const BYTES_AFTER = 64;
const NEWLINE = 0x0a;

export interface ComparedBytes {
  /** Null when all bytes are the same. */
  readonly difference: OutputDifference | null;
  /** Bytes read until then: all of them where nothing differs. */
  readonly read: number;
}

/**
 * Reads both side by side and stops at the first difference. Never more than a piece of each is in memory.
 * @throws what the two readings throw
 */
export async function compareBytes(
  task: AsyncIterable<Uint8Array>,
  other: AsyncIterable<Uint8Array>,
): Promise<ComparedBytes> {
  const sides = [new Side(task), new Side(other)] as const;
  const common = new CommonBytes();
  try {
    for (;;) {
      const [a, b] = await Promise.all(sides.map((side) => side.fill(1)));
      const length = Math.min(a!.length, b!.length);
      const same = samePrefix(a!, b!, length);
      common.push(a!.subarray(0, same));
      for (const side of sides) side.drop(same);
      if (same < length || length === 0) {
        if (a!.length === b!.length && length === 0) return { difference: null, read: common.length };
        const [x, y] = await Promise.all(sides.map((side) => side.fill(BYTES_AFTER + 1)));
        return { difference: common.difference(x!, y!), read: common.length };
      }
    }
  } finally {
    await Promise.all(sides.map((side) => side.end()));
  }
}

/** The part of an output that was read and not yet compared. */
class Side {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** What is there, at least `bytes` of it unless the output ends before. */
  async fill(bytes: number): Promise<Buffer> {
    while (this.#rest.length < bytes) {
      const next = await this.#pieces.next();
      if (next.done) break;
      this.#rest =
        this.#rest.length === 0 ? Buffer.from(next.value) : Buffer.concat([this.#rest, next.value]);
    }
    return this.#rest;
  }

  drop(bytes: number): void {
    this.#rest = this.#rest.subarray(bytes);
  }

  async end(): Promise<void> {
    await this.#pieces.return?.();
  }
}

/** What both have in common so far: how long it is, how many lines, and its end. */
class CommonBytes {
  length = 0;
  #lines = 0;
  #tail: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): void {
    this.length += bytes.length;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.#lines++;
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-BYTES_BEFORE)]).subarray(-BYTES_BEFORE);
  }

  difference(task: Buffer, other: Buffer): OutputDifference {
    const lineStart = this.#tail.lastIndexOf(NEWLINE) + 1;
    const before = this.#tail.subarray(startOfCharacter(this.#tail, lineStart));
    return {
      offset: this.length,
      line: this.#lines + 1,
      excerpt_offset: this.length - before.length,
      task: excerptOf(before, task),
      with: excerptOf(before, other),
    };
  }
}

function excerptOf(before: Buffer, after: Buffer): OutputDifference["task"] {
  const bytes = Buffer.concat([before, after.subarray(0, BYTES_AFTER)]);
  const whole = bytes.subarray(0, endOfCharacters(bytes));
  const isText = isUtf8(whole) && !whole.includes(0);
  return {
    text: isText ? whole.toString("utf8") : null,
    hex: bytes.toString("hex"),
    ended: after.length <= BYTES_AFTER,
  };
}

function samePrefix(a: Buffer, b: Buffer, length: number): number {
  if (a.subarray(0, length).equals(b.subarray(0, length))) return length;
  let at = 0;
  while (a[at] === b[at]) at++;
  return at;
}

/** The first byte at or after `from` that begins a character: an excerpt does not begin in the middle of one. */
function startOfCharacter(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && at < from + 3 && (bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}
