import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../../services/kernel/projectRoot.ts";

/** The command line as users run it: the bundle, made when it is missing or sources changed. */
export const cliProgram = join(projectRoot, "services", "cli", "bin", "cazi.mjs");

let isBuilt = false;

/** `npm test` has built; running one file alone must not run yesterday's bundle. */
export function ensureBuilt(): void {
  if (isBuilt) return;
  execFileSync(process.execPath, [join(projectRoot, "deploy", "build.mjs")], { cwd: projectRoot });
  isBuilt = true;
}
