/** JSON text as it crosses between guest and host: measured and bounded before it is parsed. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Deeper values are refused: each level is host stack in every later walk. */
export const JSON_DEPTH_MAX = 64;

export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** How many arrays and objects the text opens at once; strings are skipped. Never throws. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 0x5c) at++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (char === 0x7d || char === 0x5d) depth--;
  }
  return deepest;
}

/**
 * A copy whose objects have no prototype, so that a member called `__proto__` or `constructor` is data for
 * whoever reads or extends it.
 */
export function plainCopy(value: JsonValue): JsonValue {
  return mapJson(value, (leaf) => leaf);
}

/** Copies a value; `leaf` replaces strings, numbers and so on, `member` may replace a member by its name. */
export function mapJson(
  value: JsonValue,
  leaf: (value: JsonValue) => JsonValue,
  member?: (key: string) => { readonly key: string; readonly value?: JsonValue },
): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mapJson(item, leaf, member));
  if (value === null || typeof value !== "object") return leaf(value);
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const [key, item] of Object.entries(value as JsonObject)) {
    const replaced = member?.(key) ?? { key };
    copy[replaced.key] = replaced.value ?? mapJson(item, leaf, member);
  }
  return copy;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
