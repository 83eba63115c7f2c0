import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, syncFolder } from "./syncedFiles.ts";

/**
 * Counts the lives of this node's agent, on disk, so that each life numbers its reports above all earlier ones
 * without trusting a clock.
 * @param folder made when missing
 * @returns 1 at the first start
 */
export async function nextGeneration(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "generation");
  const generation = (await readGeneration(path)) + 1;
  const file = await open(`${path}.tmp`, "w", 0o600);
  try {
    await file.writeFile(String(generation));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
  await syncFolder(folder);
  return generation;
}

async function readGeneration(path: string): Promise<number> {
  try {
    const number = Number(await readFile(path, "utf8"));
    return Number.isSafeInteger(number) && number >= 0 ? number : 0;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
