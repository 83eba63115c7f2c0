import { type Bucket, type BucketRule, levelAt, take } from "./tokenBucket.ts";

/** One rule for many keys. */
export interface Buckets {
  readonly rule: BucketRule;
  /** @returns 0 when it was taken, else milliseconds until it could be */
  take(key: string, cost: number): number;
  /** Puts back what was taken in vain. */
  give(key: string, cost: number): void;
  /** What is in it now. */
  level(key: string): number;
  readonly size: number;
}

/**
 * @param keysMax beyond it the bucket that was used least lately is forgotten, which makes it full again: who has
 * so many addresses or tokens is not held by a limit for each of them
 */
export function createBuckets(
  rule: BucketRule,
  { keysMax, monotonicMs }: { readonly keysMax: number; readonly monotonicMs: () => number },
): Buckets {
  // In the order of last use.
  const buckets = new Map<string, Bucket>();
  const put = (key: string, bucket: Bucket) => {
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > keysMax) buckets.delete(buckets.keys().next().value!);
  };
  const level = (key: string) => levelAt(rule, buckets.get(key) ?? null, monotonicMs());
  return {
    rule,
    take: (key, cost) => {
      const taken = take(rule, buckets.get(key) ?? null, monotonicMs(), cost);
      put(key, taken.bucket);
      return taken.retryAfterMs;
    },
    give: (key, cost) => put(key, { level: Math.min(rule.burst, level(key) + cost), atMs: monotonicMs() }),
    level,
    get size() {
      return buckets.size;
    },
  };
}
