/** Numbers from 0 to below 1 that follow from the seed alone (mulberry32). `TEST_SEED` repeats a run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Printed by whoever uses it, so that a failure can be repeated. */
export const testSeed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
