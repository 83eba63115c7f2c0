import { z } from "zod";
import { NODES_SHOWN_MAX } from "../../services/domain/scheduling/explainPending.ts";
import { rules } from "../../services/domain/scheduling/rules.ts";

/** Why no node runs a pending task yet. */
export const pendingReason = z.object({
  message: z.string().describe("One sentence for people."),
  nodes: z
    .array(
      z.object({
        node: z.string(),
        rule: z.enum(rules).describe("The first rule that it does not meet."),
        message: z.string(),
      }),
    )
    .describe(
      `Nodes that the tenant may use and why each does not take it, those first that come nearest; at most ${NODES_SHOWN_MAX}.`,
    ),
  more_nodes: z.number().int().nonnegative().describe("Further nodes that do not take it either."),
  ahead: z
    .number()
    .int()
    .nonnegative()
    .nullable()
    .describe("Tasks of the tenant that go before it; null where that is not known yet."),
});
export type PendingReason = z.output<typeof pendingReason>;
