/**
 * What an iterator gives, and null whenever nothing came for `tickMs` or `wake` has just settled: a follower can
 * then look whether it is done, without asking anybody again and again. Ends with its source.
 */
export async function* chunksAndTicks<T>(
  source: AsyncIterator<T>,
  options: { readonly tickMs: number; readonly wake: Promise<unknown> },
): AsyncGenerator<T | null> {
  let arrived: { readonly result: IteratorResult<T> } | { readonly error: unknown } | null = null;
  let tell: () => void = () => undefined;
  const ask = () => {
    source.next().then(
      (result) => {
        arrived = { result };
        tell();
      },
      (error: unknown) => {
        arrived = { error };
        tell();
      },
    );
  };
  void options.wake.then(() => tell());
  try {
    ask();
    for (;;) {
      if (arrived === null) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, options.tickMs);
          tell = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const came = arrived as { readonly result: IteratorResult<T> } | { readonly error: unknown } | null;
      if (came === null) {
        yield null;
        continue;
      }
      if ("error" in came) throw came.error;
      if (came.result.done) return;
      arrived = null;
      ask();
      yield came.result.value;
    }
  } finally {
    // Not awaited: a source that waits for its next chunk ends only when that comes.
    void source.return?.();
  }
}
