import type { LogStream } from "../../../../streams/subjects.ts";
import { Poison } from "../../../kernel/errors.ts";

const HEADER_BYTES = 8;

/**
 * Reads the engine's multiplexed output: frames of one type byte (1 stdout, 2 stderr), three zero bytes, a
 * big-endian length and that many bytes. Frames and their headers may be cut anywhere; payload is passed on as
 * it comes, so that memory does not grow with a frame.
 */
export class FrameDemux {
  readonly #onBytes: (stream: LogStream, bytes: Uint8Array) => void;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #left = 0;
  #stream: LogStream = "stdout";

  constructor(onBytes: (stream: LogStream, bytes: Uint8Array) => void) {
    this.#onBytes = onBytes;
  }

  /** @throws Poison `FRAME_INVALID` when this is not multiplexed output, as of a container with a terminal */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const take = Math.min(this.#left, chunk.length - at);
        this.#onBytes(this.#stream, chunk.subarray(at, at + take));
        this.#left -= take;
        at += take;
        continue;
      }
      const take = Math.min(HEADER_BYTES - this.#headerBytes, chunk.length - at);
      this.#header.set(chunk.subarray(at, at + take), this.#headerBytes);
      this.#headerBytes += take;
      at += take;
      if (this.#headerBytes === HEADER_BYTES) this.#openFrame();
    }
  }

  #openFrame(): void {
    const type = this.#header[0];
    if (type !== 1 && type !== 2) {
      throw new Poison("FRAME_INVALID", "the engine's output is not in frames of stdout and stderr");
    }
    this.#stream = type === 1 ? "stdout" : "stderr";
    this.#left = this.#header.readUInt32BE(4);
    this.#headerBytes = 0;
  }
}
