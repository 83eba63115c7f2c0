import { z } from "zod";

/** Every answer that is not a success (RFC 9457, `application/problem+json`). */
export const problem = z.looseObject({
  type: z.string().describe("URI of the kind of problem; it ends in the code."),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().describe("What is wrong, in one sentence."),
  code: z.string().describe("Stable name of the problem, for programs."),
  hint: z.string().optional().describe("What to do next."),
  errors: z
    .array(z.object({ pointer: z.string(), message: z.string() }))
    .optional()
    .describe("Each thing wrong, with a JSON Pointer into the input."),
  correlation_id: z.string().describe("Finds this request in the server's log."),
});
export type Problem = z.output<typeof problem>;

export const problemMediaType = "application/problem+json";
