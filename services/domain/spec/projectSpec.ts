/** The schema of `project`: a folder of `cazi agent`, as it is, for a compartment. Its policy says what it may do. */
import { z } from "zod";
import { parseImageReference } from "./imageReference.ts";
import * as limits from "./limits.ts";
import { boundsOfBudgets, noFileAsFolder, policyOfProject } from "./projectRules.ts";
import { filePath, toolList } from "./scriptGrants.ts";
import { scriptBudgetBounds } from "./scriptRules.ts";
import { countOfNames, valid } from "./specRules.ts";

/** What stands beside `files` is as the flags of `cazi agent run --project`. */
export const projectObject = z
  .strictObject({
    files: z
      .record(filePath, z.string().max(limits.scriptCharsMax))
      .check(countOfNames(limits.projectFilesMax))
      .check(noFileAsFolder)
      .describe("Path and text; one is agent-policy.json."),
    tools: toolList.describe("Tools beside those of its policy."),
    // By name, as in script; said once in a schema that agents read whole.
    budgets: z
      .record(z.string(), z.number())
      .check(boundsOfBudgets)
      .default({})
      .describe("Limits in place of its policy's."),
    context: z.record(z.string(), z.unknown()).optional().describe("In place of its policy's."),
    process_image: z.string().check(valid(parseImageReference)).optional().describe("As in script."),
  })
  .check(policyOfProject);

/** As `fieldsAt` of the spec, at and below `project`. */
export function projectFieldsAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 1) return Object.keys(projectObject.shape);
  return path.length === 2 && path[1] === "budgets" ? Object.keys(scriptBudgetBounds) : [];
}
