/** `quota.submits`, core request of the sinks role: may this tenant submit one task more now? */
import { z } from "zod";

export const quotaQuestion = z.object({ tenant: z.string() });
export type QuotaQuestion = z.output<typeof quotaQuestion>;

export const quotaAnswer = z.discriminatedUnion("answer", [
  /** One submit of the tenant's is counted with it. */
  z.object({ answer: z.literal("yes") }),
  z.object({
    answer: z.literal("no"),
    message: z.string(),
    limit: z.string(),
    quota: z.number(),
    retry_after_ms: z.number(),
  }),
]);
export type QuotaAnswer = z.output<typeof quotaAnswer>;
