import { z } from "zod";
import { wholeNumber } from "./parameters.ts";

export const pageLimitMax = 200;
export const pageLimitDefault = 50;

/** The query parameters of every list. */
export const pageParameters = {
  limit: wholeNumber({ min: 1, max: pageLimitMax })
    .default(pageLimitDefault)
    .describe(`Items a page, at most ${pageLimitMax}; ${pageLimitDefault} unless given.`),
  cursor: z
    .string()
    .max(512)
    .optional()
    .describe("next_cursor of the page before; its text means nothing to the caller."),
};

/** One page of a list. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe("Ask with it for the next page; null on the last one."),
  });
}

/** A page of `T`s. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}
