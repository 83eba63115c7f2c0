import { type DurableReader, durableReaders, type ReaderPlaces } from "../kernel/ledger/readers.ts";

/** Who has to read on before a tombstone may be acted on. */
export interface HeldUp {
  readonly reader: DurableReader;
  /** How far it is in this ledger; 0 when it never spoke of it. */
  readonly seq: number;
}

/**
 * How far all durable readers are, and who is the last of them. Pure. A place in another ledger counts as none: what
 * has its number there may be anything here.
 */
export function slowestReader(places: ReaderPlaces, epoch: string): HeldUp | null {
  let slowest: HeldUp | null = null;
  for (const reader of durableReaders) {
    const place = places[reader];
    if (place?.forgotten) continue;
    const seq = place?.epoch === epoch ? place.seq : 0;
    if (slowest === null || seq < slowest.seq) slowest = { reader, seq };
  }
  return slowest;
}
