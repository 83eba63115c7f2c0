import type { LogStream } from "../../../streams/subjects.ts";
import type { LogChunk, LogFilter } from "../../kernel/logs/logSource.ts";
import { formatPosition, type LogPosition } from "./logPosition.ts";

/** Pages that were read lately; for others the place is looked for. */
const PLACES_MAX = 2_000;
/** What is needed of a stream and lies no farther back is read along with the other stream's. */
const NEAR_CHUNKS = 8;

/** Where in LOGS reading goes on. */
export interface LogPlace {
  /** From here on everything is needed. */
  readonly seq: number;
  /**
   * From here on to `seq` one stream alone is: what a line began with that has not ended, while the other stream went
   * on. Without it each page would read all of the other stream's again.
   */
  readonly begun: Readonly<Partial<Record<LogStream, number>>>;
}

/**
 * Where in LOGS a position is, for positions that pages ended at: without it each page would look for its place
 * first. A memory only: nothing depends on it.
 */
export class LogPlaces {
  readonly #places = new Map<string, LogPlace>();

  /** Null where it is not known. */
  find(filter: LogFilter, position: LogPosition): LogPlace | null {
    return this.#places.get(keyOf(filter, position)) ?? null;
  }

  remember(filter: LogFilter, position: LogPosition, place: LogPlace): void {
    const key = keyOf(filter, position);
    this.#places.delete(key);
    this.#places.set(key, place);
    if (this.#places.size > PLACES_MAX) this.#places.delete(this.#places.keys().next().value!);
  }
}

function keyOf(filter: LogFilter, position: LogPosition): string {
  return `${filter.task} ${filter.attempt} ${filter.stream} ${formatPosition(position)}`;
}

interface OpenChunk {
  readonly chunk: LogChunk;
  /** How many chunks had been read. */
  readonly nth: number;
}

/** The chunks that were read and whose bytes are not all in entries: a page that goes on needs them again. */
export class OpenChunks {
  readonly #before: number;
  #open: OpenChunk[] = [];
  #count = 0;
  #nextSeq: number;

  /**
   * @param startSeq where reading began
   * @param before bytes before a position that reading on needs as well
   */
  constructor(startSeq = 1, before = 0) {
    this.#nextSeq = startSeq;
    this.#before = before;
  }

  take(chunk: LogChunk, position: LogPosition): void {
    this.#nextSeq = chunk.seq + 1;
    this.#count++;
    this.#open = this.#open.filter((one) => isOpen(one.chunk, position, this.#before));
    this.#open.push({ chunk, nth: this.#count });
  }

  /** A chunk from before the place where reading began, of a line that had begun there. */
  takeBegun(chunk: LogChunk): void {
    this.#open.push({ chunk, nth: Number.NEGATIVE_INFINITY });
  }

  /** A chunk that is none of the output, and is not needed again. */
  pass(chunk: LogChunk): void {
    this.#nextSeq = chunk.seq + 1;
    this.#count++;
  }

  /** Where reading on from `position` has to begin. */
  placeOf(position: LogPosition): LogPlace {
    const open = this.#open.filter((one) => isOpen(one.chunk, position, this.#before));
    const near = open.filter(({ nth }) => this.#count - nth < NEAR_CHUNKS);
    const seq = Math.min(this.#nextSeq, ...near.map(({ chunk }) => chunk.seq));
    const begun: Partial<Record<LogStream, number>> = {};
    for (const { chunk } of open) {
      if (chunk.seq < seq) begun[chunk.stream] = Math.min(begun[chunk.stream] ?? seq, chunk.seq);
    }
    return { seq, begun };
  }
}

function isOpen(chunk: LogChunk, position: LogPosition, before: number): boolean {
  if (chunk.attempt !== position.attempt) return chunk.attempt > position.attempt;
  // The record of dropped bytes counts as one byte.
  const end = chunk.offset + (chunk.dropped === null ? chunk.bytes.length : 1);
  return end + before > position[chunk.stream];
}
