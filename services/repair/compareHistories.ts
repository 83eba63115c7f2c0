/** An event as one side holds it. */
export interface HeldEvent {
  readonly seq: number;
  readonly subject: string;
  readonly bytes: Uint8Array;
}

/** An event of the copy, with what was read from it when it was copied. */
export interface CopiedEvent extends HeldEvent {
  readonly eventId: string;
}

/**
 * Where the two differ:
 * - `missing`: the copy has an event, the ledger has nothing.
 * - `altered`: the same event, other bytes; or bytes that are no event.
 * - `replaced`: another event stands there.
 * - `uncopied`: the ledger has an event and the copy, though it is past it, has none.
 */
export type DifferenceKind = "missing" | "altered" | "replaced" | "uncopied";

export interface Difference {
  readonly kind: DifferenceKind;
  readonly seq: number;
  readonly copy: CopiedEvent | null;
  readonly ledger: HeldEvent | null;
}

export interface Comparison {
  /** Events of the copy that were compared. */
  readonly copies: number;
  readonly same: number;
  /** Events in the ledger beyond the copy's end: not copied yet. */
  readonly beyond: number;
}

export interface Histories {
  /** Both in order of sequence, in batches; only one batch of each is in memory. */
  readonly copy: AsyncIterable<readonly CopiedEvent[]>;
  readonly ledger: AsyncIterable<readonly HeldEvent[]>;
  /** Sequence up to which the copy is complete. */
  readonly copyEnd: number;
  /** The id of the event in bytes, or null when they are no event. */
  readonly eventIdOf: (bytes: Uint8Array) => string | null;
}

/**
 * Walks both histories side by side.
 * @param onDifference called in order, for every difference
 * @param onBeyond called for what the copy has not reached yet
 */
export async function compareHistories(
  { copy, ledger, copyEnd, eventIdOf }: Histories,
  onDifference: (difference: Difference) => void | Promise<void>,
  onBeyond: (event: HeldEvent) => void | Promise<void> = () => undefined,
): Promise<Comparison> {
  const copies = walk(copy);
  const events = walk(ledger);
  let [compared, same, beyond] = [0, 0, 0];
  let [ours, theirs] = [await copies.next(), await events.next()];
  while (ours !== null || theirs !== null) {
    if (theirs === null || (ours !== null && ours.seq < theirs.seq)) {
      await onDifference({ kind: "missing", seq: ours!.seq, copy: ours, ledger: null });
      compared++;
      ours = await copies.next();
    } else if (ours === null || theirs.seq < ours.seq) {
      if (theirs.seq > copyEnd) {
        beyond++;
        await onBeyond(theirs);
      } else {
        await onDifference({ kind: "uncopied", seq: theirs.seq, copy: null, ledger: theirs });
      }
      theirs = await events.next();
    } else {
      const kind = differenceOf(ours, theirs, eventIdOf);
      if (kind === null) same++;
      else await onDifference({ kind, seq: ours.seq, copy: ours, ledger: theirs });
      compared++;
      [ours, theirs] = [await copies.next(), await events.next()];
    }
  }
  return { copies: compared, same, beyond };
}

function differenceOf(
  copy: CopiedEvent,
  ledger: HeldEvent,
  eventIdOf: Histories["eventIdOf"],
): DifferenceKind | null {
  if (copy.subject === ledger.subject && Buffer.compare(copy.bytes, ledger.bytes) === 0) return null;
  const id = eventIdOf(ledger.bytes);
  return id === null || id === copy.eventId ? "altered" : "replaced";
}

/** One event after the other out of batches, without a promise for each. */
function walk<E>(batches: AsyncIterable<readonly E[]>) {
  const iterator = batches[Symbol.asyncIterator]();
  let batch: readonly E[] = [];
  let at = 0;
  return {
    next: (): E | null | Promise<E | null> => (at < batch.length ? batch[at++]! : nextBatch()),
  };
  async function nextBatch(): Promise<E | null> {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) {
        batch = [];
        at = 0;
        return null;
      }
      if (value.length === 0) continue;
      batch = value;
      at = 1;
      return batch[0]!;
    }
  }
}
