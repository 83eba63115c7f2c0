const BULK_BYTES = 6_144;

/**
 * Random bytes that are drawn in bulk: the system's source costs some ten microseconds a draw, whatever its size.
 * No byte is given twice.
 */
export function bulkRandom(draw: (count: number) => Uint8Array): (count: number) => Uint8Array {
  let bulk: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (count) => {
    if (count > BULK_BYTES) return draw(count);
    if (used + count > bulk.length) {
      bulk = draw(BULK_BYTES);
      used = 0;
    }
    used += count;
    return bulk.subarray(used - count, used);
  };
}
