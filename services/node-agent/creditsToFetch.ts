/**
 * How many claims to ask for now. What is running and what has been asked for never exceed the slots; and small
 * top-ups wait until half of what was asked for has come, so that a busy node fetches in batches.
 * @param counts.outstanding claims asked for that have not come
 */
export function creditsToFetch(counts: {
  readonly slots: number;
  readonly busy: number;
  readonly outstanding: number;
  readonly batchMax: number;
}): number {
  const { slots, busy, outstanding, batchMax } = counts;
  const free = slots - busy - outstanding;
  if (free <= 0 || free < outstanding) return 0;
  return Math.min(free, batchMax);
}
