import { z } from "zod";
import { timestamp } from "./timestamp.ts";

/** A file that a task's container published, as long as it is hosted. */
export const artifact = z.object({
  name: z.string().describe("A relative path, unique within the task."),
  attempt: z
    .number()
    .int()
    .positive()
    .describe("Which attempt published it; a later attempt's file takes the place of an earlier one's."),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().describe("Of its bytes, hex; also its ETag."),
  media_type: z.string().describe("As its sender said it, or by its name. Nobody has looked into the file."),
  stored_at: timestamp,
  expires_at: timestamp.describe("It is gone then: artifact_ttl_seconds after it was stored."),
});
export type ArtifactView = z.output<typeof artifact>;

/** All of a task's files that are hosted, by name; a task has at most as many as it may publish. */
export const artifactList = z.object({ data: z.array(artifact) });
export type ArtifactList = z.output<typeof artifactList>;
