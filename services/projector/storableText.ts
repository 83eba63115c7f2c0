/**
 * Text that a Postgres `text` or `jsonb` can hold: a NUL and lone surrogates, which it cannot, become U+FFFD. The
 * exact value stays in the event's raw bytes.
 */
export function storableText(text: string): string {
  return UNSTORABLE.test(text) ? text.replace(UNSTORABLE_ALL, "\uFFFD") : text;
}

/** JSON text of `value` for a `jsonb` column, every string in it made storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === "string") return storableText(inner);
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [storableText(key), one]));
  });
}

const UNSTORABLE = /\0|\p{Surrogate}/u;
const UNSTORABLE_ALL = /\0|\p{Surrogate}/gu;
