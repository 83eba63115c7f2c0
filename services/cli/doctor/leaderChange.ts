/**
 * What a cluster of NATS servers did with acknowledged events when its leader was stopped or cut off, by version: a table, to be
 * added to as versions are tried (ADR 0036). Pure.
 */

export interface LeaderTrial {
  /** The first version that it holds for, and the first that it no longer holds for: [major, minor]. */
  readonly from: readonly [number, number];
  readonly before: readonly [number, number];
  /** True where an acknowledged event was gone from the stream afterwards. */
  readonly lost: boolean;
}

const trials: readonly LeaderTrial[] = [
  // 2.9.10: of two messages under one sequence that of the minority became the ledger's.
  { from: [0, 0], before: [2, 10], lost: true },
  // 2.10.27: 16 changes of leader, 19,181 acknowledged, none lost or moved.
  { from: [2, 10], before: [2, 11], lost: false },
  // 2.15.1: 10 changes of leader, 12,773 acknowledged, none lost or moved.
  { from: [2, 15], before: [2, 16], lost: false },
];

/** Null for a version that was not tried. */
export function leaderTrialOf(version: string, of: readonly LeaderTrial[] = trials): LeaderTrial | null {
  const place = placeOf(majorMinor(version));
  return of.find(({ from, before }) => place >= placeOf(from) && place < placeOf(before)) ?? null;
}

/** `sync_interval: always` came with 2.10. */
export function canSyncAlways(version: string): boolean {
  return placeOf(majorMinor(version)) >= placeOf([2, 10]);
}

const placeOf = ([major, minor]: readonly [number, number]) => major * 1_000 + minor;

/** Of a version that is not known: the oldest. */
function majorMinor(version: string): [number, number] {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor];
}
