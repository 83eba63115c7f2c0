/** Longer parts are cut in a pointer: an answer does not repeat a hostile key of 200,000 characters. */
const PART_CHARS_MAX = 128;

/** The JSON Pointer (RFC 6901) of a path; `""` is the whole value. */
export function pointerTo(path: readonly PropertyKey[]): string {
  let pointer = "";
  for (const part of path) {
    pointer += `/${String(part).slice(0, PART_CHARS_MAX).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** What is at a path of an input; undefined where nothing is. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return value;
}
