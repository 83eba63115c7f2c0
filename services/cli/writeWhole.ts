/** A file where the user named one: there whole, or not at all. */
import { randomUUID } from "node:crypto";
import { link, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CaziError, Rejection } from "../kernel/errors.ts";

/**
 * Writes beside the place first, so that what is there is never half written, and a link there is never followed.
 * @throws Rejection `FILE_EXISTS`, `FILE_UNWRITABLE`, and what `bytes` throws
 */
export async function writeWhole(
  target: string,
  bytes: AsyncIterable<Uint8Array>,
  force: boolean,
): Promise<void> {
  const beside = `${target}.${randomUUID().slice(0, 8)}.part`;
  try {
    const file = await open(beside, "wx", 0o644);
    try {
      for await (const piece of bytes) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    if (force && (await mayBeReplaced(target))) await rename(beside, target);
    else await link(beside, target);
  } catch (error) {
    throw failureOf(error, target);
  } finally {
    await rm(beside, { force: true });
  }
}

/** A device or a folder is nothing that a file takes the place of. */
async function mayBeReplaced(target: string): Promise<boolean> {
  const there = await stat(target).catch(() => null);
  return there === null || there.isFile();
}

function failureOf(error: unknown, target: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof CaziError || typeof code !== "string") return error;
  if (code === "EEXIST") {
    return new Rejection("FILE_EXISTS", `${target} is there already.`, {
      hint: "Give another path with -o, or overwrite a file with --force.",
      fields: { status: 409 },
    });
  }
  const why = code === "ENOENT" ? `there is no folder ${dirname(target)}` : `the system says ${code}`;
  return new Rejection("FILE_UNWRITABLE", `${target} cannot be written: ${why}.`, { cause: error });
}
