/** What a task and each of its attempts say in the same words. */
import { z } from "zod";
import { timestamp } from "./timestamp.ts";

export const image = z
  .object({
    ref: z.string(),
    repo_digest: z.string().nullable(),
    image_id: z.string().nullable(),
  })
  .describe("The image that really runs; an imported one has no repository digest.");

const logCount = z.object({
  stored: z.number().int().nonnegative().describe("Bytes kept."),
  dropped: z
    .number()
    .int()
    .nonnegative()
    .describe("Bytes produced and not kept: beyond the cap, or there was no room."),
});

export const logCounts = z
  .object({ stdout: logCount, stderr: logCount })
  .describe("Bytes of its output, known when it has ended.");

export const pull = z
  .object({
    ref: z.string(),
    tries: z
      .number()
      .int()
      .positive()
      .describe("The try that is under way, or was the last; 1 is the first."),
    started_at: timestamp,
    layers_done: z.number().int().nonnegative(),
    layers_total: z.number().int().nonnegative().describe("Known so far."),
    bytes_done: z.number().int().nonnegative(),
    bytes_total: z.number().int().nonnegative().describe("Of the layers whose size is known so far."),
    last_error: z.string().nullable().describe("Why the last try that failed did."),
    retry_at: timestamp.nullable().describe("While the node waits: when it tries again."),
    finished_at: timestamp.nullable().describe("When the image was there."),
  })
  .describe("How far the pull of the last attempt's image is, by the node's clock.");
