/** An event that the ledger holds and the copy does not. */
export interface Survivor {
  readonly seq: number;
  readonly subject: string;
  /** Null for bytes that are no event. */
  readonly eventId: string | null;
}

export type Fate = "keep" | "append" | "conflict" | "duplicate" | "unreadable";

/** What the copy has that decides about survivors. */
export interface CopyOfSurvivors {
  /** Lowest sequence at which the ledger has another event than the copy; null when it never moved on. */
  readonly replacedFrom: number | null;
  /** Subjects with an event in the copy at or after `replacedFrom`. */
  readonly movedSubjects: ReadonlySet<string>;
  /** Ids, of the survivors', that the copy has. */
  readonly copiedIds: ReadonlySet<string>;
}

/**
 * What becomes of each event that the ledger has beside or beyond the copy. Pure.
 *
 * A ledger that only lost events and was not written to since has the copy's history, and what follows it keeps its
 * sequence. Where it was written to after it had lost its end, two histories share sequences. The copy's was
 * acknowledged and shown, so it stands; the other events come after it, unless their subject has an event among those
 * that were lost: those were decided on a state that was not true, and only a person can tell what they are worth.
 */
export function survivorFates(
  survivors: readonly Survivor[],
  copy: CopyOfSurvivors,
): ReadonlyMap<number, Fate> {
  return new Map(survivors.map((one) => [one.seq, fateOf(one, copy)]));
}

function fateOf(one: Survivor, { replacedFrom, movedSubjects, copiedIds }: CopyOfSurvivors): Fate {
  if (one.eventId === null) return "unreadable";
  if (copiedIds.has(one.eventId)) return "duplicate";
  if (replacedFrom === null || one.seq < replacedFrom) return "keep";
  return movedSubjects.has(one.subject) ? "conflict" : "append";
}
