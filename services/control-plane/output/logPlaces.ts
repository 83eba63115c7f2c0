import type { LogChunk, LogFilter } from "../../kernel/logs/logSource.ts";
import { formatPosition, type LogPosition } from "./logPosition.ts";

/** Pages that were read lately; for others the place is looked for. */
const PLACES_MAX = 2_000;

/**
 * Where in LOGS a position is, for positions that pages ended at: without it each page would look for its place
 * first. A memory only: nothing depends on it.
 */
export class LogPlaces {
  readonly #seqs = new Map<string, number>();

  /** The sequence to read from; null where it is not known. */
  find(filter: LogFilter, position: LogPosition): number | null {
    return this.#seqs.get(keyOf(filter, position)) ?? null;
  }

  remember(filter: LogFilter, position: LogPosition, seq: number): void {
    const key = keyOf(filter, position);
    this.#seqs.delete(key);
    this.#seqs.set(key, seq);
    if (this.#seqs.size > PLACES_MAX) this.#seqs.delete(this.#seqs.keys().next().value!);
  }
}

function keyOf(filter: LogFilter, position: LogPosition): string {
  return `${filter.task} ${filter.attempt} ${filter.stream} ${formatPosition(position)}`;
}

/** The chunks that were read and whose bytes are not all in entries: a page that goes on needs them again. */
export class OpenChunks {
  readonly #before: number;
  #open: LogChunk[] = [];
  #lastSeq = 0;

  /** @param before bytes before a position that reading on needs as well */
  constructor(before = 0) {
    this.#before = before;
  }

  take(chunk: LogChunk, position: LogPosition): void {
    this.#lastSeq = chunk.seq;
    this.#open = this.#open.filter((one) => isOpen(one, position, this.#before));
    this.#open.push(chunk);
  }

  /** A chunk that is none of the output, and is not needed again. */
  pass(chunk: LogChunk): void {
    this.#lastSeq = chunk.seq;
  }

  /** Where reading on from `position` has to begin. */
  startSeq(position: LogPosition): number {
    return this.#open.find((one) => isOpen(one, position, this.#before))?.seq ?? this.#lastSeq + 1;
  }
}

function isOpen(chunk: LogChunk, position: LogPosition, before: number): boolean {
  if (chunk.attempt !== position.attempt) return chunk.attempt > position.attempt;
  // The record of dropped bytes counts as one byte.
  const end = chunk.offset + (chunk.dropped === null ? chunk.bytes.length : 1);
  return end + before > position[chunk.stream];
}
