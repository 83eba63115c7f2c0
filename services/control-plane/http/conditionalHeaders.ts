import { z } from "zod";
import { headers } from "../../../schemas/api/headers.ts";

export const conditionalRead = z.object({
  "if-none-match": z
    .string()
    .optional()
    .describe("ETags of answers that the caller has: 304 with no body when one of them is right."),
});

/** Of an answer that has an ETag, and the answer to one who has it already. */
export const tagHeader = { ETag: "Names this very answer; strong." };
export const notModified = { about: "The caller has this answer.", content: {}, headers: tagHeader };

/** Of an answer to what changed something. */
export const positionHeader = {
  [headers.position]: "Place of the change in the ledger: send it as min_seq to read what shows the change.",
};

export const conditionalChange = z.object({
  "if-match": z
    .string()
    .optional()
    .describe("The ETag of the task as the caller knows it: 412 when the task has moved on since."),
});
