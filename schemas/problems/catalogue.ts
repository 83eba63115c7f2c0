/**
 * Every stable code of Cazi, what it means and what to do: the status of an answer, the pages under `/problems`,
 * and `cazi explain` are made from this. A code is added to the list of its area; a test finds every code that
 * is thrown and not in here, and every one in here that nothing throws. Codes are never renamed once shipped.
 *
 * What a caller may not know of is 404, what it may not do is 403, a bug is 500, a dependency that is away 503.
 * No schema library here: the command line loads it.
 */
import { artifactProblems } from "./artifactProblems.ts";
import { feedProblems } from "./feedProblems.ts";
import { identityProblems } from "./identityProblems.ts";
import { mcpProblems } from "./mcpProblems.ts";
import { nodeProblems } from "./nodeProblems.ts";
import { operationProblems } from "./operationProblems.ts";
import { peopleProblems } from "./peopleProblems.ts";
import type { ProblemList } from "./problemEntry.ts";
import { requestProblems } from "./requestProblems.ts";
import { specProblems } from "./specProblems.ts";
import { systemProblems } from "./systemProblems.ts";
import { taskProblems } from "./taskProblems.ts";

export const problems: ProblemList = {
  ...requestProblems,
  ...specProblems,
  ...taskProblems,
  ...artifactProblems,
  ...feedProblems,
  ...nodeProblems,
  ...identityProblems,
  ...peopleProblems,
  ...systemProblems,
  ...operationProblems,
  ...mcpProblems,
};

/** `TASK_NOT_FOUND` → `Task not found`. */
export function problemTitle(code: string): string {
  const words = code.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Where a code's page is: the `type` of its problem documents. */
export function problemPath(code: string): string {
  return `/problems/${code}`;
}
