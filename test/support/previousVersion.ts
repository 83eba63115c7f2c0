/** The program of the version before this one, built from what git remembers of it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../services/kernel/projectRoot.ts";

/** What nodes and servers in the field run when they meet this version. A release moves it on. */
const commit = "3f2789e996954b908bbf1f389823a366bb1fb27f";

/** Why it cannot be had here, or null: an archive of the sources, or a shallow clone, remembers nothing. */
export const noPreviousVersion: string | null = (() => {
  try {
    execFileSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: projectRoot, stdio: "ignore" });
    return null;
  } catch {
    return `there is no commit ${commit.slice(0, 7)} in the history of this folder`;
  }
})();

/**
 * Puts it into a folder and builds it there, against the packages of this version.
 * @returns the entry of its command line
 */
export function previousVersion(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", "--format=tar", commit], {
    cwd: projectRoot,
    maxBuffer: 256 * 1024 ** 2,
  });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  execFileSync(process.execPath, [join(folder, "deploy", "build.mjs")], { cwd: folder });
  return join(folder, "services", "cli", "bin", "cazi.mjs");
}
