import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { LogChunk } from "../../kernel/logs/logSource.ts";
import { logChunkBytesMin, logPageBytesMax, logScanBytesMax } from "../limits.ts";
import { type LogPosition, parsePosition } from "./logPosition.ts";

/** The first `limit` entries, fewer when they are long. */
export class FirstEntries {
  readonly entries: LogEntry[] = [];
  /** There were more. */
  full = false;
  #bytes = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Asks for no more of them than one that has no room. */
  add(entries: Iterable<LogEntry>): void {
    for (const entry of entries) {
      if (this.entries.length >= this.#limit || this.#bytes >= logPageBytesMax) {
        this.full = true;
        return;
      }
      this.entries.push(entry);
      this.#bytes += entry.text.length;
    }
  }

  /** After the last entry. */
  get position(): LogPosition | null {
    return parsePosition(this.entries.at(-1)?.position ?? "");
  }
}

/** The last `limit` entries, fewer when they are long. */
export class LastEntries {
  #kept: LogEntry[] = [];
  #bytes = 0;
  readonly #limit: number;
  #dropped = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get entries(): LogEntry[] {
    return this.#kept;
  }

  /** What came before would not be kept. */
  get isWhole(): boolean {
    return this.#dropped || this.#kept.length >= this.#limit;
  }

  add(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.#kept.push(entry);
      this.#bytes += entry.text.length;
    }
    let drop = Math.max(0, this.#kept.length - this.#limit);
    for (let index = 0; index < drop; index++) this.#bytes -= this.#kept[index]!.text.length;
    while (this.#bytes > logPageBytesMax && drop < this.#kept.length - 1) {
      this.#bytes -= this.#kept[drop++]!.text.length;
    }
    if (drop === 0) return;
    this.#kept = this.#kept.slice(drop);
    this.#dropped = true;
  }
}

/** How much of stored output one request has looked through. */
export class Scanned {
  #bytes = 0;
  readonly #bytesMax: number;

  constructor(bytesMax = logScanBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Counts a chunk. */
  add(chunk: Pick<LogChunk, "bytes">): void {
    this.#bytes += Math.max(logChunkBytesMin, chunk.bytes.length);
  }

  /** How many times as much may be looked through. */
  get room(): number {
    return this.#bytesMax / Math.max(1, this.#bytes);
  }
}
