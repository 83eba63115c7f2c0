/**
 * Where the lines of a log go. A log must never end what it tells of: while its target cannot be written (a full disk,
 * a reader that does not read) lines wait, up to a bound; those beyond it are dropped and counted, and both is said.
 */
import { appendFileSync, writeSync, write as writeTo } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";

/** A file by its path, or something that is open already. */
export type LogTarget = { readonly path: string } | { readonly fd: number };

export interface LogTrouble {
  /** Lines cannot be written from now on; told once, until they can again. */
  failed(error: Error): void;
  /** All that waited is written. @param dropped lines that are lost */
  again(dropped: number): void;
}

/** Bytes that wait. More are not worth the memory of a process that has other work to do. */
export const waitingBytesMax = 1024 * 1024;
const RETRY_MS = 500;
const BUSY_MS = 50;

/** Those with lines that wait: what can be written at the end of the process still is. */
const waiting = new Set<LogLines>();
let atExit = false;

export class LogLines {
  readonly #target: LogTarget;
  readonly #trouble: LogTrouble;
  #file: FileHandle | null = null;
  #lines: string[] = [];
  /** What is being written. */
  #rest = Buffer.alloc(0);
  #bytes = 0;
  #dropped = 0;
  #isFailing = false;
  /** Being written, or about to be tried again. */
  #isBusy = false;
  #isWriting = false;
  /** Nobody will ever read: what is told is told to nobody. */
  #isGone = false;

  constructor(target: LogTarget, trouble: LogTrouble) {
    this.#target = target;
    this.#trouble = trouble;
  }

  /** @param line with its newline */
  write(line: string): void {
    if (this.#isGone) return;
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > waitingBytesMax) {
      this.#dropped++;
      return;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    flushAtExit(this);
    if (!this.#isBusy) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isBusy = true;
    this.#isWriting = true;
    try {
      while (this.#bytes > 0) await this.#writeSome();
    } catch (error) {
      this.#isWriting = false;
      await this.#failed(error as NodeJS.ErrnoException);
      return;
    }
    this.#isBusy = false;
    this.#isWriting = false;
    waiting.delete(this);
    const [wasFailing, dropped] = [this.#isFailing, this.#dropped];
    [this.#isFailing, this.#dropped] = [false, 0];
    if (wasFailing || dropped > 0) this.#trouble.again(dropped);
  }

  async #writeSome(): Promise<void> {
    if (this.#rest.length === 0) this.#rest = this.#taken();
    const { length } = this.#rest;
    let count: number;
    if ("fd" in this.#target) {
      count = (await promisify(writeTo)(this.#target.fd, this.#rest, 0, length, null)).bytesWritten;
    } else {
      this.#file ??= await open(this.#target.path, "a", 0o600);
      count = (await this.#file.write(this.#rest, 0, length, null)).bytesWritten;
    }
    this.#rest = this.#rest.subarray(count);
    this.#bytes -= count;
  }

  async #failed(error: NodeJS.ErrnoException): Promise<void> {
    if (error.code === "EPIPE") {
      this.#isGone = true;
      waiting.delete(this);
      return;
    }
    // Opened anew: one that was deleted to make room takes room for as long as it is held.
    await this.#file?.close().catch(() => undefined);
    this.#file = null;
    const isSlow = error.code === "EAGAIN";
    if (!isSlow && !this.#isFailing) {
      this.#isFailing = true;
      this.#trouble.failed(error);
    }
    setTimeout(() => void this.#writeAll(), isSlow ? BUSY_MS : RETRY_MS).unref();
  }

  /** What waits, once and without waiting: the process ends. */
  flush(): void {
    const bytes = this.#isWriting ? this.#taken() : Buffer.concat([this.#rest, this.#taken()]);
    try {
      if ("fd" in this.#target) writeSync(this.#target.fd, bytes);
      else appendFileSync(this.#target.path, bytes, { mode: 0o600 });
    } catch {
      // There is nobody left to tell.
    }
  }

  #taken(): Buffer<ArrayBuffer> {
    const all = Buffer.from(this.#lines.join(""));
    this.#lines = [];
    return all;
  }
}

function flushAtExit(lines: LogLines): void {
  waiting.add(lines);
  if (atExit) return;
  atExit = true;
  process.once("exit", () => {
    for (const one of waiting) one.flush();
  });
}
