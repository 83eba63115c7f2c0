/**
 * JSON with members in one order, so that the same arguments are the same text. Half surrogates are
 * escaped by JSON.stringify, so every text has a form. Pure.
 */
import type { JsonObject, JsonValue } from "./jsonText.ts";

export function canonicalText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join(",")}}`;
}
