import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Rejection } from "../services/kernel/errors.ts";

const reasons: Readonly<Record<string, string>> = {
  EROFS: "its file system is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOTDIR: "a part of it is a file",
  EEXIST: "it is a file",
  ENAMETOOLONG: "it is too long",
  ENOSPC: "the disk is full",
  ENOENT: "folders cannot be made there",
};

/**
 * Makes the home, for this user alone, and sees that it can be written to.
 * @throws Rejection `HOME_UNUSABLE`
 */
export function ensureHome(home: string): void {
  try {
    makeFolder(home);
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unusable(home, cause);
  }
}

/** What comes of work in a home, as `HOME_UNUSABLE` where its disk or its rights are in the way. */
export async function inHome<T>(home: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw code in reasons ? unusable(home, error) : error;
  }
}

function unusable(home: string, cause: unknown): Rejection {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return new Rejection(
    "HOME_UNUSABLE",
    `CAZI_HOME ${home} cannot hold Cazi's state: ${reasons[code] ?? message}.`,
    {
      cause,
      hint: "Set CAZI_HOME to a folder on a local disk with room that this user may write to.",
    },
  );
}

/** One folder at a time: under /proc, Node's recursive making never returns. */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw Object.assign(new Error("a file"), { code: "EEXIST" });
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}
