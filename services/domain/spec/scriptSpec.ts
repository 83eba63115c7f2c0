/** The schema of `script`: a program for a compartment, and everything that it is given. Nothing is given unasked. */
import { z } from "zod";
import { parseImageReference } from "./imageReference.ts";
import * as limits from "./limits.ts";
import { noFileAsFolder } from "./projectRules.ts";
import { budgets, filePath, toolList, variable } from "./scriptGrants.ts";
import { credentialTools, imageOfProcess, scriptBudgetBounds } from "./scriptRules.ts";
import { countOfNames, distinct, valid } from "./specRules.ts";

const source = z.string().min(1).max(limits.scriptCharsMax);

const specifier = z.string().regex(/^\.\/[A-Za-z0-9_][A-Za-z0-9_./-]{0,126}$/, {
  error: "must be a name such as ./lib.js",
});

export const scriptObject = z
  .strictObject({
    source: source.describe("The program: an ES module."),
    modules: z
      .record(specifier, source)
      .check(countOfNames(limits.scriptFilesMax))
      .default({})
      .describe("Modules that it may import, by exact name."),
    files: z
      .record(filePath, z.string().max(limits.scriptCharsMax))
      .check(countOfNames(limits.scriptFilesMax))
      .check(noFileAsFolder)
      .default({})
      .describe("Texts that readFile and listFiles show."),
    context: z.record(z.string(), z.unknown()).default({}).describe("The JSON object `context`."),
    tools: toolList.describe("Tools that it may call; none unless named."),
    process_image: z
      .string()
      .check(valid(parseImageReference))
      .optional()
      .describe(
        "Image that each command of the tool process runs in, as a task. Unset: the node's own commands.",
      ),
    budgets: budgets.prefault({}).describe("Limits; what is left out has the compartment's default."),
    credentials: z
      .record(z.string(), variable)
      .default({})
      .describe("Tool, and the variable of a connection that holds its credential."),
    redact_fields: z
      .array(z.string().min(1).max(128))
      .max(64)
      .check(distinct)
      .default([])
      .describe("Members of these names are redacted in the audit log."),
  })
  .check(credentialTools)
  .check(imageOfProcess);

/** A text is a source that is given nothing. */
export const script = z.preprocess(
  (given) => (typeof given === "string" ? { source: given } : given),
  scriptObject,
);

/** As `fieldsAt` of the spec, at and below `script`. */
export function scriptFieldsAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 1) return Object.keys(scriptObject.shape);
  return path.length === 2 && path[1] === "budgets" ? Object.keys(scriptBudgetBounds) : [];
}
