/** Longer names are nobody's misspelling of a field, and cost time squared. */
const NAME_CHARS_MAX = 40;

/**
 * The known name that `name` most likely stands for, by edit distance; null when none is near. Case and
 * hyphens do not count, so that `timeoutSeconds` and `timeout-seconds` find `timeout_seconds`; where none is
 * near, a beginning of three characters counts (`mem`).
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > NAME_CHARS_MAX) return null;
  const plain = simplified(name);
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(plain.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(plain, simplified(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return (
    best ?? known.find((candidate) => plain.length >= 3 && simplified(candidate).startsWith(plain)) ?? null
  );
}

function simplified(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** Levenshtein's distance: insertions, deletions and replacements that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
