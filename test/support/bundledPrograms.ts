import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../../services/kernel/projectRoot.ts";

/**
 * Bundles programs of ours, each apart, beside each other in a folder of this very content; packages stay outside. A process
 * that reads sources through a loader takes some times the CPU until it runs.
 * @param sources by the name that the program is to have, without `.js`; from the project's root
 * @returns the folder
 */
export async function bundledPrograms(sources: Readonly<Record<string, string>>): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: projectRoot,
    entryPoints: { ...sources },
    outdir: "dist",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    write: false,
    logLevel: "silent",
  });
  const hash = createHash("sha256");
  for (const { path, contents } of outputFiles) hash.update(`${basename(path)}\0`).update(contents);
  const folder = join(projectRoot, "dist", "test", hash.digest("hex").slice(0, 16));
  if (existsSync(folder)) return folder;
  const aside = `${folder}.${randomUUID()}`;
  mkdirSync(aside, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(aside, basename(path)), contents);
  try {
    renameSync(aside, folder);
  } catch (error) {
    // Another worker was first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
