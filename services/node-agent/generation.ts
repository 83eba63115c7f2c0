import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, writeWhole } from "./syncedFiles.ts";

/**
 * Counts the lives of this node's agent, on disk, so that each life numbers its reports above all earlier ones
 * without trusting a clock.
 * @param folder made when missing
 * A full disk takes no second file: then the number is written over the one that stands there, so that an agent which is
 * started anew on it still finds, ends and reports what runs. A first start there fails.
 * @returns 1 at the first start
 */
export async function nextGeneration(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "generation");
  const generation = (await readGeneration(path)) + 1;
  try {
    await writeWhole(path, String(generation));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC" || generation === 1) throw error;
    await writeOver(path, String(generation));
  }
  return generation;
}

/** The few digits stay within the block that the file has: no room is needed, and a block is written whole. */
async function writeOver(path: string, text: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.write(text, 0);
    await file.datasync();
  } finally {
    await file.close();
  }
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
