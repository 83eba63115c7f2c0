import { z } from "zod";

/** What the catalogue says of one code. */
export const problemPage = z.object({
  code: z.string(),
  title: z.string(),
  status: z.number().int().nullable().describe("Of an answer with this code; null where the API has none."),
  means: z.string().describe("What has happened."),
  todo: z.string().describe("What to do next."),
  type: z.string().describe("Address of the page, and `type` of the problem documents."),
});
export type ProblemPage = z.output<typeof problemPage>;

export const problemIndex = z.object({ data: z.array(problemPage) });
