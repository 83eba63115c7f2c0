/** How much may come in a while: full it lets a burst through, and it fills at a steady rate. Pure. */

export interface BucketRule {
  /** What it holds when full. */
  readonly burst: number;
  /** What flows in. */
  readonly perSecond: number;
}

export interface Bucket {
  readonly level: number;
  /** Monotonic milliseconds at which it had that level. */
  readonly atMs: number;
}

export interface Taken {
  readonly bucket: Bucket;
  readonly ok: boolean;
  /** Until what was asked for is there; 0 when it was taken. */
  readonly retryAfterMs: number;
}

/** @param bucket null for one that nobody has taken from: it is full */
export function take(rule: BucketRule, bucket: Bucket | null, nowMs: number, cost: number): Taken {
  const level = levelAt(rule, bucket, nowMs);
  // More than it can ever hold is given when it is full: refusing it for ever would be a ban, not a limit.
  const wanted = Math.min(cost, rule.burst);
  const ok = level >= wanted;
  return {
    bucket: { level: ok ? level - wanted : level, atMs: nowMs },
    ok,
    retryAfterMs: ok ? 0 : Math.ceil(((wanted - level) / rule.perSecond) * 1000),
  };
}

export function levelAt(rule: BucketRule, bucket: Bucket | null, nowMs: number): number {
  if (bucket === null) return rule.burst;
  const inflow = (Math.max(0, nowMs - bucket.atMs) / 1000) * rule.perSecond;
  return Math.min(rule.burst, bucket.level + inflow);
}
