/** `guard.<shard>`, core request: has the ledger lost events that Postgres has a copy of? */
import { z } from "zod";

export const guardReply = z.discriminatedUnion("answer", [
  z.object({ answer: z.literal("ok") }),
  z.object({ answer: z.literal("unknown"), reason: z.string() }),
  z.object({ answer: z.literal("regressed"), reason: z.string() }),
]);
export type GuardReply = z.output<typeof guardReply>;
