/** One kind of fault, what it is run on, and what came of it. */
import type { ChaosGround, GroundOptions } from "./ground/chaosGround.ts";

/** What was done and what was found; all that must be zero is in {@link losses}. */
export interface FaultOutcome {
  /** How often the fault was made to happen. */
  readonly faults: number;
  /** Tasks whose submit was acknowledged. */
  readonly acknowledged: number;
  /** Acknowledged, and nothing of it in the ledger. */
  readonly lost: number;
  /** With more than one terminal event; and tasks that nobody was told of: a submit that was done twice. */
  readonly doubled: number;
  /** With none when the time was up. */
  readonly stuck: number;
  /** Events that do not follow from the history before them, such as one of a stale fence. */
  readonly illegal: number;
  /** Containers of ended tasks that were still there when the time was up. */
  readonly orphans: number;
  /** Tasks whose row is not what their events fold to. */
  readonly wrongRows: number;
  /** Tasks of which a follower of the feed missed an event, had one twice or out of order; null where none followed. */
  readonly misread: number | null;
  /** Requests that an API had taken before it was asked to end, and never answered; null where it was killed. */
  readonly cut: number | null;
  /** How often an operator had to run `cazi ledger repair`; null where that is no part of the fault. */
  readonly repairs: number | null;
  /** Longest time between two acknowledged submits, in milliseconds; null where none was measured. */
  readonly longestGapMs: number | null;
}

export interface FaultPlan {
  /** How often the fault happens. */
  readonly times: number;
  /** Tasks under way meanwhile. */
  readonly tasks: number;
}

export interface Fault {
  readonly name: string;
  /** A sentence: what happens, and to what. */
  readonly about: string;
  readonly ground: GroundOptions;
  /** In `npm test`; null for what takes too long there. */
  readonly short: FaultPlan | null;
  readonly long: FaultPlan;
  /** Faults that stand together and have lanes are made to happen at once, those of one lane after each other. */
  readonly lane?: string;
  /** With the times that a user gets who sets none: `npm run chaos -- --defaults`. */
  readonly defaults?: FaultPlan;
  run(ground: ChaosGround, plan: FaultPlan, random: () => number): Promise<FaultDone>;
}

/** What a fault did, before anything was looked at. */
export interface FaultDone
  extends Pick<FaultOutcome, "faults" | "longestGapMs">,
    Partial<Pick<FaultOutcome, "misread" | "cut" | "repairs">> {
  /** Of the acknowledged tasks. */
  readonly ids: readonly string[];
}

/** What must be zero after any fault, by name. */
export function losses(outcome: FaultOutcome): Readonly<Record<string, number>> {
  const { lost, doubled, stuck, illegal, orphans, wrongRows } = outcome;
  return {
    lost,
    doubled,
    stuck,
    illegal,
    orphans,
    wrongRows,
    misread: outcome.misread ?? 0,
    cut: outcome.cut ?? 0,
  };
}
