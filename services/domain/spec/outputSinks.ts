/** The schema of `output_sinks`: where a task's output goes when it has ended. */
import { z } from "zod";
import * as limits from "./limits.ts";
import * as sinkRules from "./sinkRules.ts";
import { distinct, oneLine } from "./specRules.ts";

const plainName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, {
  error: "must be 1 to 63 of a-z, 0-9, '-' and '_', beginning with a letter or digit",
});

const ends = ["succeeded", "failed", "cancelled"] as const;

const ofAll = {
  name: plainName
    .nullable()
    .default(null)
    .describe("What its results are told by; null: its place and type, such as 0-webhook."),
  on: z
    .array(z.enum(ends))
    .min(1)
    .max(ends.length)
    .check(distinct)
    .default([...ends])
    .describe("Which ends of the task it is for."),
};

const address = z
  .string()
  .max(limits.urlCharsMax)
  .check(sinkRules.webAddress)
  .overwrite(sinkRules.plainAddress);

const content = z
  .enum(["stdout", "stderr", "summary"])
  .default("stdout")
  .describe("The very bytes of a stream of the last attempt, or the summary that a webhook gets, as JSON.");

const webhook = z.strictObject({
  type: z.literal("webhook"),
  ...ofAll,
  url: address.describe("Where the summary is posted to, over https."),
  connection: plainName
    .nullable()
    .default(null)
    .describe("Connection that holds the signing secrets (whsec_…); null: not signed."),
  include_output: z
    .boolean()
    .default(true)
    .describe("Whether a small standard output is in the body; its digest and where it is are always."),
});

const s3 = z.strictObject({
  type: z.literal("s3"),
  ...ofAll,
  endpoint: address
    .nullable()
    .default(null)
    .describe(
      "Address of the S3 server; null: Amazon's of the region. The bucket is the first part of the path.",
    ),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, { error: "must be the name of a region, such as eu-central-1" })
    .default("us-east-1"),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
    error: "must be the name of a bucket: 3 to 63 of a-z, 0-9, '.' and '-'",
  }),
  key: z
    .string()
    .min(1)
    .max(limits.sinkKeyCharsMax)
    .check(sinkRules.nameTemplate(true))
    .default("{tenant}/{task}/{sink}.{content}")
    .describe(
      "Key of the object; may hold {tenant}, {task}, {status}, {attempt}, {date}, {sink}, {content}.",
    ),
  connection: plainName.describe("Connection that holds the access keys."),
  content,
});

const file = z.strictObject({
  type: z.literal("file"),
  ...ofAll,
  file_name: z
    .string()
    .min(1)
    .max(limits.sinkFileCharsMax)
    .check(sinkRules.nameTemplate(false))
    .default("{sink}.{content}")
    .describe(
      "Name in the folder <CAZI_SINK_FILES>/<tenant>/<task>; placeholders as in the key of an s3 sink.",
    ),
  content,
});

const values = z.record(z.string(), z.unknown());

/** A template is a way to write a spec: `readSpec` leaves `spec` alone in what is stored. */
const task = z
  .strictObject({
    type: z.literal("task"),
    ...ofAll,
    spec: values
      .optional()
      .describe(
        "WorkloadSpec of the task to submit, once; its container has the standard output as /pipe/stdin.",
      ),
    template: values
      .optional()
      .describe("Instead of spec: a WorkloadSpec in which each whole word TARGET stands for target."),
    target: z
      .string()
      .min(1)
      .max(limits.targetCharsMax)
      .check(oneLine)
      .optional()
      .describe("What TARGET in the template becomes."),
  })
  .check(sinkRules.specOrTemplate);

const kinds = { webhook, s3, file, task };

export const outputSink = z
  .discriminatedUnion("type", [webhook, s3, file, task], {
    error: (issue) =>
      issue.code === "invalid_union"
        ? `must have a type: one of ${Object.keys(kinds).join(", ")}`
        : undefined,
  })
  .describe("Where the output goes when the task has ended.");

export type OutputSink = z.output<typeof outputSink>;

/** Names of the fields of a sink of this type; none for a type that there is not. */
export function sinkFields(type: unknown): readonly string[] {
  const kind = Object.entries(kinds).find(([name]) => name === type)?.[1];
  return kind === undefined ? [] : Object.keys(kind.shape);
}
