import { problems } from "../../../schemas/problems/catalogue.ts";

/**
 * The HTTP status of every code that an answer may have. Made from the catalogue: a new code is added to the list
 * of its area in `schemas/problems/`, with what it means and what to do.
 */
export const problemStatus: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(problems).flatMap(([code, { status }]) => (status === null ? [] : [[code, status]])),
);
