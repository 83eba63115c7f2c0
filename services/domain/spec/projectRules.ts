/** Rules on the files of a spec that a JSON Schema cannot say. */
import type { z } from "zod";
import { plainSentence } from "./plainSentence.ts";
import { fileAsFolder } from "./projectPath.ts";
import { isFaulty, PROJECT_POLICY, readProjectPolicy } from "./projectPolicy.ts";
import { budgets } from "./scriptGrants.ts";

type Checked<T> = z.core.ParsePayload<T>;
type Files = Readonly<Record<string, string>>;

/** Names and folders of one disk: a path cannot be both. */
export function noFileAsFolder(checked: Checked<Files>): void {
  const path = fileAsFolder(checked.value);
  if (path === null) return;
  const message = "is a file, and a folder of another path";
  checked.issues.push({ code: "custom", message, input: checked.value, path: [path] });
}

/** As the budgets of a script. */
export function boundsOfBudgets(checked: Checked<Readonly<Record<string, number>>>): void {
  const read = budgets.safeParse(checked.value);
  if (read.success) return;
  for (const issue of read.error.issues) {
    const paths = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [key]) : [issue.path];
    const message =
      issue.code === "unrecognized_keys" ? "is not a budget" : plainSentence(issue, checked.value);
    for (const path of paths)
      checked.issues.push({ code: "custom", message, input: checked.value, path: [...path] });
  }
}

/** The policy can be read, is one for a node, and names files that are there. */
export function policyOfProject(
  checked: Checked<{
    readonly files: Files;
    readonly tools: readonly string[];
    readonly process_image?: string | undefined;
  }>,
): void {
  const { files, tools, process_image } = checked.value;
  const read = readProjectPolicy(files);
  const fault = (path: PropertyKey[], message: string) =>
    checked.issues.push({ code: "custom", message, input: checked.value, path });
  if (isFaulty(read)) fault(["files", PROJECT_POLICY], read.join("; "));
  else if (process_image !== undefined && ![...read.tools, ...tools].includes("process"))
    fault(["process_image"], "needs process among the tools");
}
