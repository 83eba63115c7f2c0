/**
 * Which of the offered media types a caller wants most, by its Accept header (RFC 9110, section 12.5.1); the first
 * of them where it does not matter, and null where it wants none. Pure.
 */
export function preferredType<T extends string>(accept: string | undefined, offered: readonly T[]): T | null {
  if (accept === undefined || accept.trim() === "") return offered[0] ?? null;
  const ranges = accept.split(",").slice(0, RANGES_MAX).map(readRange);
  let best: { readonly type: T; readonly quality: number } | null = null;
  for (const type of offered) {
    // The range that names the type most exactly decides over it.
    const matching = ranges
      .filter(({ range }) => matches(range, type))
      .sort((a, b) => exactness(b.range) - exactness(a.range));
    const quality = matching[0]?.quality ?? 0;
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type ?? null;
}

/** No real caller names more. */
const RANGES_MAX = 32;

function readRange(text: string): { readonly range: string; readonly quality: number } {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

function matches(range: string, type: string): boolean {
  return range === "*/*" || range === type || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
}

function exactness(range: string): number {
  return range === "*/*" ? 0 : range.endsWith("/*") ? 1 : 2;
}
