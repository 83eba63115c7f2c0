/** Bytes that a first small piece of output gets; it doubles from there. */
const FIRST_BYTES = 2 * 1024;

/**
 * Gathers pieces of output into chunks of at most `chunkBytes`, by copying: a program that writes two bytes a line
 * brings half a million pieces a mebibyte, and keeping each would cost fifty times its bytes.
 */
export class ChunkBuffer {
  readonly #chunkBytes: number;
  readonly #full: Buffer[] = [];
  #current: Buffer = Buffer.alloc(0);
  #filled = 0;

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
  }

  get bytes(): number {
    return this.#full.length * this.#chunkBytes + this.#filled;
  }

  add(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length) {
      const take = Math.min(piece.length - at, this.#chunkBytes - this.#filled);
      this.#grow(this.#filled + take);
      this.#current.set(piece.subarray(at, at + take), this.#filled);
      this.#filled += take;
      at += take;
      if (this.#filled === this.#chunkBytes) this.#close();
    }
  }

  /** The oldest chunk, full or not; empty when there is nothing. */
  take(): Uint8Array {
    const oldest = this.#full.shift();
    if (oldest !== undefined) return oldest;
    const rest = this.#current.subarray(0, this.#filled);
    this.#current = Buffer.alloc(0);
    this.#filled = 0;
    return rest;
  }

  clear(): void {
    this.#full.length = 0;
    this.take();
  }

  #grow(needed: number): void {
    if (needed <= this.#current.length) return;
    const size = Math.min(this.#chunkBytes, Math.max(needed, FIRST_BYTES, this.#current.length * 2));
    const larger = Buffer.allocUnsafe(size);
    larger.set(this.#current.subarray(0, this.#filled));
    this.#current = larger;
  }

  #close(): void {
    this.#full.push(this.#current);
    this.#current = Buffer.alloc(0);
    this.#filled = 0;
  }
}
