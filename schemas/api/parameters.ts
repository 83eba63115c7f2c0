/**
 * Values that come as text in a query string and as themselves in a tool call: one schema reads both. The
 * JSON Schema made from each is that of the plain value.
 */
import { z } from "zod";

/** A whole number within bounds. */
export function wholeNumber(range: { readonly min: number; readonly max: number }) {
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.number().int().min(range.min).max(range.max),
  );
}

/** True or false. */
export const flag = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean(),
);

/** Several values: a list, the parameter given several times, or one text with commas. */
export function severalOf<T extends z.ZodType>(item: T, max: number) {
  return z.preprocess(
    (value) => (typeof value === "string" ? value.split(",") : value),
    z.array(item).max(max),
  );
}

/** Several values, each of which may hold a comma: a list, or the parameter given several times. */
export function severalTexts<T extends z.ZodType>(item: T, max: number) {
  return z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(item).max(max));
}
