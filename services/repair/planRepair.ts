/** What comparing the ledger with its copy gave; counts without what erasure explains. */
export interface RepairFacts {
  readonly copy: { readonly epoch: string; readonly end: number };
  /** Null when there is no stream. */
  readonly stream: { readonly epoch: string; readonly lastSeq: number } | null;
  readonly missing: number;
  /** Of the missing ones, those that stand before the stream's end; what stands there cannot be put back in place. */
  readonly holes: number;
  readonly altered: number;
  /** Lowest sequence at which the ledger has another event than the copy; null when there is none. */
  readonly replacedFrom: number | null;
}

/**
 * - `nothing`: the ledger is whole.
 * - `append`: what is missing is the end, or all: it is appended where it stood.
 * - `rebuild`: something before the end is gone, altered or replaced. A stream takes no message in its middle, so it
 *   is made anew.
 */
export interface RepairPlan {
  readonly kind: "nothing" | "append" | "rebuild";
  /** The copy takes the stream's epoch when the repair is done. */
  readonly newEpoch: boolean;
  /** For a person, in one sentence. */
  readonly why: string;
}

/** What a repair has to do. Pure. */
export function planRepair(facts: RepairFacts): RepairPlan {
  const { copy, stream, missing, holes, altered, replacedFrom } = facts;
  if (stream === null) {
    if (copy.end === 0) return plan("nothing", false, "there is no ledger yet, and nothing was copied");
    return plan("append", true, `the stream is gone; the copy reaches sequence ${copy.end}`);
  }
  const newEpoch = copy.end > 0 && stream.epoch !== copy.epoch;
  if (replacedFrom !== null) {
    return plan(
      "rebuild",
      true,
      `from sequence ${replacedFrom} on the ledger has other events than the copy`,
    );
  }
  if (altered > 0 || holes > 0) {
    const found = [holes > 0 ? `${holes} gone` : "", altered > 0 ? `${altered} altered` : ""];
    return plan("rebuild", true, `before the ledger's end events are ${found.filter(Boolean).join(" and ")}`);
  }
  if (missing > 0 || stream.lastSeq < copy.end) {
    return plan(
      "append",
      newEpoch,
      `the ledger ends at sequence ${stream.lastSeq}, the copy reaches ${copy.end}`,
    );
  }
  if (newEpoch) {
    return plan("append", true, `the stream was made anew at ${stream.epoch} with the same events`);
  }
  return plan("nothing", false, "the ledger holds all that was copied");
}

function plan(kind: RepairPlan["kind"], newEpoch: boolean, why: string): RepairPlan {
  return { kind, newEpoch, why };
}
