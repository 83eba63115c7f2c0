/**
 * Starts `count` jobs in order, at most `max` of them unfinished at a time, and none after one that failed.
 * @returns true when all of them gave true; settles only when nothing is on its way any more
 */
export function pipeline(
  count: number,
  max: number,
  start: (index: number) => Promise<boolean>,
): Promise<boolean> {
  return new Promise((resolve) => {
    let started = 0;
    let settled = 0;
    let good = true;
    const done = (result: boolean) => {
      settled++;
      good &&= result;
      more();
    };
    const more = () => {
      while (good && started < count && started - settled < max) {
        start(started++).then(done, () => done(false));
      }
      if (settled === started && (!good || started === count)) resolve(good);
    };
    more();
  });
}
