/** Writes a file that the user named for a result: it is there whole or not at all, and takes nobody else's place. */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { Rejection } from "../../kernel/errors.ts";

interface ResultRules {
  /** Files that the result was made from: never replaced, under whatever name or link. */
  readonly sources: readonly string[];
  /** Replace any other file. */
  readonly force: boolean;
  /** Whether a file that begins so is an earlier result of the same kind, which may be replaced. */
  readonly isOwn: (beginning: string) => boolean;
  /** What the user can do about a file that is in the way. */
  readonly hint: string;
}

const BEGINNING_BYTES = 1024;

/**
 * Writes beside the place and renames. A link at the place is replaced, and what it leads to is left.
 * @throws Rejection `FILE_EXISTS` for a file that is in the way, `FILE_UNWRITABLE` where none can be written
 */
export function writeResult(path: string, text: string, rules: ResultRules): void {
  const replaces = mayReplace(path, rules);
  const beside = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    writeFileSync(beside, text, { flag: "wx", flush: true });
    if (replaces) renameSync(beside, path);
    else linkSync(beside, path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw inTheWay(path, rules.hint);
    throw new Rejection("FILE_UNWRITABLE", `${path} cannot be written: ${reasonOf(code, path)}.`, {
      cause: error,
    });
  } finally {
    rmSync(beside, { force: true });
  }
}

/** False where nothing is there. */
function mayReplace(path: string, { sources, force, isOwn, hint }: ResultRules): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return false;
  const target = statSync(path, { throwIfNoEntry: false });
  if (target !== undefined && sources.some((source) => isSame(target, statSync(source)))) {
    throw new Rejection("FILE_EXISTS", `${path} is the file that was read, and is left as it is.`, {
      hint: "Name another file.",
    });
  }
  // A device or a folder is nothing that a file takes the place of.
  if (target !== undefined && !target.isFile()) throw inTheWay(path, "Name another file.");
  if (!force && !(there.isFile() && isOwn(beginningOf(path)))) throw inTheWay(path, hint);
  return true;
}

function beginningOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(BEGINNING_BYTES);
      return bytes.toString("utf8", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    // What cannot be read is nobody's own.
    return "";
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function inTheWay(path: string, hint: string): Rejection {
  return new Rejection("FILE_EXISTS", `${path} is there already and is left as it is.`, { hint });
}

function reasonOf(code: string, path: string): string {
  if (code === "ENOENT") return `there is no folder ${dirname(path)}`;
  if (code === "ENOTDIR") return `${dirname(path)} is no folder`;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "it may not be written there";
  if (code === "ENOSPC" || code === "EDQUOT") return "there is no room left";
  return `the system says ${code}`;
}
