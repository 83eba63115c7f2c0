import { z } from "zod";

/** Who did it, for whom, by which door. Resolved by the server, never taken from the caller. */
export const who = z.object({
  actor: z.string().describe('Who acted, such as "user:admin".'),
  accountable: z
    .string()
    .nullable()
    .describe("The person who answers for it when an agent or a schedule acted; null when the actor does."),
  route: z
    .string()
    .describe(
      "The door it came through: rest, mcp or cli; script for a command of a script; sink for a task that follows another; internal for what Cazi and its nodes do by themselves.",
    ),
});
