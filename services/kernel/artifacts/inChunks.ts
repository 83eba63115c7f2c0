/** The same bytes in chunks of exactly `size`, the last one apart; at most one chunk waits to be filled. */
export async function* inChunks(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    let rest = piece;
    while (length + rest.length >= size) {
      const taken = rest.subarray(0, size - length);
      rest = rest.subarray(taken.length);
      yield Buffer.concat([...waiting, taken], size);
      waiting = [];
      length = 0;
    }
    if (rest.length > 0) waiting.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(waiting, length);
}
