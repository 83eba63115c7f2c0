/**
 * How much of a piece of output is kept: the first `cap` bytes of a stream are stored, the rest is counted.
 * @param offset bytes of the stream before this piece
 */
export function cutAtCap(offset: number, length: number, cap: number): { keep: number; drop: number } {
  const keep = Math.max(0, Math.min(length, cap - offset));
  return { keep, drop: length - keep };
}
