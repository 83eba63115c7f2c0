/**
 * Cuts the bytes of one output stream into lines. Pure: what comes out does not depend on how the bytes were cut
 * into chunks on the way in.
 */

/** A line, or a part of one that is too long. */
export interface Piece {
  readonly bytes: Buffer;
  /** `newline`: one followed; `cut`: the line goes on in the next piece; `end`: the output ended here. */
  readonly ending: "newline" | "cut" | "end";
  /** Offset in the stream right after this piece, its newline included. */
  readonly endOffset: number;
  /** When its first bytes were read, in milliseconds since 1970. */
  readonly at: number;
}

const NEWLINE = 10;

export class LineSplitter {
  readonly #lineBytesMax: number;
  /** Offset of the first byte that is not in a piece yet. */
  #offset: number;
  #parts: { readonly bytes: Uint8Array; readonly at: number }[] = [];
  #pendingBytes = 0;

  /** @param startOffset place in the stream of the first byte to come */
  constructor(options: { readonly startOffset: number; readonly lineBytesMax: number }) {
    this.#offset = options.startOffset;
    this.#lineBytesMax = options.lineBytesMax;
  }

  /** Bytes held back until their line ends. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  push(bytes: Uint8Array, at: number): Piece[] {
    return [...this.pieces(bytes, at)];
  }

  /** The same, each piece when it is asked for. Who stops before the last one has done with this splitter. */
  *pieces(bytes: Uint8Array, at: number): Generator<Piece> {
    let from = 0;
    for (;;) {
      const newline = bytes.indexOf(NEWLINE, from);
      this.#hold(bytes.subarray(from, newline < 0 ? bytes.length : newline), at);
      if (newline < 0) break;
      yield* this.#released("newline", at);
      from = newline + 1;
    }
    if (this.#pendingBytes > this.#lineBytesMax) yield* this.#released("cut", at);
  }

  /**
   * The same where nobody asks for the lines that begin and end within these bytes: they are passed over without a look
   * at each.
   */
  pass(bytes: Uint8Array, at: number): { readonly pieces: Piece[]; readonly endOffset: number } {
    const first = bytes.indexOf(NEWLINE) + 1;
    const last = bytes.lastIndexOf(NEWLINE) + 1;
    const pieces = this.push(first === 0 ? bytes : bytes.subarray(0, first), at);
    if (first > 0) {
      this.#offset += last - first;
      pieces.push(...this.push(bytes.subarray(last), at));
    }
    return { pieces, endOffset: this.#offset };
  }

  /** Gives what is held back although its line has not ended; it goes on in the next piece. */
  cut(): Piece[] {
    if (this.#pendingBytes === 0) return [];
    return this.#released("cut", this.#parts[0]!.at, { all: true });
  }

  /** There are no more bytes. */
  end(): Piece[] {
    return this.#pendingBytes === 0 ? [] : this.#released("end", this.#parts[0]!.at);
  }

  #hold(bytes: Uint8Array, at: number): void {
    if (bytes.length === 0) return;
    this.#parts.push({ bytes, at });
    this.#pendingBytes += bytes.length;
  }

  #released(
    ending: Piece["ending"],
    at: number,
    options: { readonly all: boolean } = { all: false },
  ): Piece[] {
    const pieces: Piece[] = [];
    const held = this.#parts;
    const line = held.length === 1 ? asBuffer(held[0]!.bytes) : Buffer.concat(held.map((part) => part.bytes));
    let from = 0;
    while (line.length - from > this.#lineBytesMax) {
      const to = characterStart(line, from + this.#lineBytesMax);
      pieces.push(this.#piece(line.subarray(from, to), "cut", timeAt(held, from) ?? at));
      from = to;
    }
    const rest = line.subarray(from);
    const keep = ending === "cut" && !options.all ? rest.length : 0;
    if (keep === 0) pieces.push(this.#piece(rest, ending, timeAt(held, from) ?? at));
    this.#parts = keep === 0 ? [] : [{ bytes: rest, at: timeAt(held, from) ?? at }];
    this.#pendingBytes = keep;
    return pieces;
  }

  #piece(bytes: Buffer, ending: Piece["ending"], at: number): Piece {
    this.#offset += bytes.length + (ending === "newline" ? 1 : 0);
    return { bytes, ending, endOffset: this.#offset, at };
  }
}

/** The place at or shortly before `index` where a character of UTF-8 begins; `index` where it is not UTF-8. */
function characterStart(bytes: Uint8Array, index: number): number {
  for (let at = index; at > index - 4 && at > 0; at--) {
    const byte = bytes[at]!;
    if ((byte & 0xc0) === 0x80) continue;
    return at === index || byte >= 0xc0 ? at : index;
  }
  return index;
}

function timeAt(
  parts: readonly { readonly bytes: Uint8Array; readonly at: number }[],
  index: number,
): number | null {
  let end = 0;
  for (const part of parts) {
    end += part.bytes.length;
    if (index < end) return part.at;
  }
  return null;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
