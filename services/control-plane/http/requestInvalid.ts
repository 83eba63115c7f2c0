import type { z } from "zod";
import { pointerTo, valueAt } from "../../domain/spec/jsonPointer.ts";
import { nearestName } from "../../domain/spec/nearestName.ts";
import { plainSentence } from "../../domain/spec/plainSentence.ts";
import { type ErrorDetail, Rejection } from "../../kernel/errors.ts";

/**
 * What a schema found wrong with a part of a request, in plain sentences with a pointer for each.
 * @param part.name such as `query`
 * @param part.known names that there are in it
 */
export function requestInvalid(
  part: { readonly name: string; readonly input: unknown; readonly known: readonly string[] },
  error: z.core.$ZodError,
): Rejection {
  const { name, input, known } = part;
  const details = error.issues.flatMap((issue): ErrorDetail[] => {
    if (issue.code !== "unrecognized_keys") {
      const message = plainSentence(issue, valueAt(input, issue.path));
      return [{ pointer: pointerTo(issue.path), message }];
    }
    return issue.keys.map((key) => {
      const nearest = nearestName(key, known);
      const advice =
        nearest === null ? `known are ${known.join(", ") || "none"}` : `did you mean ${nearest}?`;
      return { pointer: pointerTo([...issue.path, key]), message: `is not known here; ${advice}` };
    });
  });
  const [first] = details;
  const where = first?.pointer || "it";
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  return new Rejection("REQUEST_INVALID", `The ${name} is invalid: ${where} ${first?.message}${more}.`, {
    details,
  });
}
