import { z } from "zod";

/** Whether the process lives, and whether it can serve. */
export const health = z.object({
  status: z.enum(["ok", "unavailable"]),
  reasons: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .describe("What is missing; empty when ok."),
});
export type Health = z.output<typeof health>;
