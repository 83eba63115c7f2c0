/** How a spec comes in a tool's arguments: as text or as an object. */
import { z } from "zod";
import { workloadSpecSchema } from "../services/domain/spec/workloadSpec.ts";
import type { SpecText } from "../services/kernel/client/apiClient.ts";

/** JSON Schema of a spec, as a caller writes it. */
export const workloadSpecDocument = z.toJSONSchema(workloadSpecSchema, { io: "input" });

/**
 * Shown with the whole schema of a spec, read as it stands: the API checks it and says what is wrong with it, the
 * same way for every door.
 */
const { $schema: _, ...specSchema } = workloadSpecDocument;
/** Shorter here than there: a model reads all of this at each start, and few of its specs have these. */
const short = {
  script: { type: ["object", "null"], description: "As run_script takes it: source, tools, budgets ..." },
  output_sinks: {
    type: "array",
    items: { type: "object" },
    description:
      "Where the output goes at the end: type webhook, s3, file or task; members in resource cazi://schemas/workload-spec.",
  },
};
const specObject = z
  .record(z.string(), z.unknown())
  .meta({ ...specSchema, properties: { ...specSchema.properties, ...short } } as typeof specSchema);

export const specArgument = z
  .union([z.string().describe("YAML or JSON text."), specObject], {
    error: ({ input }) =>
      `${input === undefined ? "is missing" : "is neither"}: give a WorkloadSpec as YAML or JSON text, or as an object`,
  })
  .describe("The WorkloadSpec: an object, or the text of one in YAML or JSON.");

/** The request body of a spec argument. YAML includes JSON. */
export function specText(argument: z.output<typeof specArgument>): SpecText {
  return typeof argument === "string"
    ? { text: argument, mediaType: "application/yaml" }
    : { text: JSON.stringify(argument), mediaType: "application/json" };
}

export const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe("Repeating a call with the same key and spec gives the same task instead of a second one.");
