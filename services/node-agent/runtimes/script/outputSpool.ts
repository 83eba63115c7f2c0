/**
 * The output of one run on disk, for readers that come late, hold on or begin at any byte: a program never waits for
 * them, and no output is kept in memory.
 */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { LogStream } from "../../../../streams/subjects.ts";
import type { Attachment, OutputEnd, OutputOffsets, OutputSink } from "../../ports.ts";

const streams = ["stdout", "stderr"] as const;
const READ_BYTES = 64 * 1024;

export class OutputSpool {
  readonly #folder: string;
  readonly #bytesMax: number;
  readonly #files: Record<LogStream, number>;
  /** All that was written, kept or not. */
  readonly #written: Record<LogStream, number> = { stdout: 0, stderr: 0 };
  #waiters: (() => void)[] = [];
  #over = false;

  /** @param bytesMax of each stream; what is beyond is counted alone, as LOGS would */
  constructor(folder: string, bytesMax: number) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    this.#files = { stdout: create(folder, "stdout"), stderr: create(folder, "stderr") };
  }

  /** @throws the disk's own error; nothing of `text` counts then, and what comes next takes its place */
  write(stream: LogStream, text: string): void {
    if (this.#over) return;
    const bytes = Buffer.from(text, "utf8");
    const at = this.#written[stream];
    const room = Math.max(0, this.#bytesMax - at);
    if (room > 0) writeAll(this.#files[stream], bytes.subarray(0, room), at);
    this.#written[stream] += bytes.length;
    this.#wake();
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const stream of streams) closeSync(this.#files[stream]);
    this.#wake();
  }

  /** Reads from `from` on until the run is over and all is read. */
  follow(sink: OutputSink, from: OutputOffsets): Attachment {
    let closed = false;
    const read = async (): Promise<OutputEnd> => {
      const at = { ...from };
      for (;;) {
        const over = this.#over;
        let moved = false;
        for (const stream of streams) {
          if (closed) return "broken";
          moved = (await this.#readSome(sink, stream, at)) || moved;
        }
        if (closed) return "broken";
        if (moved) continue;
        if (over) return "eof";
        await new Promise<void>((resolve) => this.#waiters.push(resolve));
      }
    };
    return {
      ended: read().catch(() => "broken" as const),
      close: () => {
        closed = true;
        this.#wake();
      },
    };
  }

  async #readSome(sink: OutputSink, stream: LogStream, at: Record<LogStream, number>): Promise<boolean> {
    const end = this.#written[stream];
    if (at[stream] >= end) return false;
    await sink.ready();
    if (at[stream] < this.#bytesMax) {
      const wanted = Math.min(end, this.#bytesMax) - at[stream];
      const bytes = await readAt(join(this.#folder, stream), at[stream], wanted);
      sink.write(stream, bytes);
      at[stream] += bytes.length;
      return bytes.length > 0;
    }
    // Beyond the cap the sink only counts: zeros stand for what is not there any more.
    const beyond = Math.min(READ_BYTES, end - at[stream]);
    sink.write(stream, Buffer.alloc(beyond));
    at[stream] += beyond;
    return true;
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }
}

/** Reads what an earlier life of the agent left of a run that is over. */
export function readSpool(folder: string, sink: OutputSink, from: OutputOffsets): Attachment {
  const read = async (): Promise<OutputEnd> => {
    for (const stream of streams) {
      for (let at = from[stream]; ; ) {
        await sink.ready();
        const bytes = await readAt(join(folder, stream), at, READ_BYTES);
        if (bytes.length === 0) break;
        sink.write(stream, bytes);
        at += bytes.length;
      }
    }
    return "eof";
  };
  return { ended: read().catch(() => "refused" as const), close: () => {} };
}

function create(folder: string, stream: LogStream): number {
  return openSync(join(folder, stream), "w", 0o600);
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

async function readAt(path: string, at: number, wanted: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafe(Math.min(wanted, READ_BYTES)),
      0,
      Math.min(wanted, READ_BYTES),
      at,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
