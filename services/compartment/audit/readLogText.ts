import { readFileSync, statSync } from "node:fs";
import { Rejection } from "../../kernel/errors.ts";

/**
 * The text of a log. A device or a pipe is none: it may have no end, or nobody who writes to it.
 * @throws Rejection `INPUT_UNREADABLE`
 */
export function readLogText(path: string): string {
  try {
    if (statSync(path).isFile()) return readFileSync(path, "utf8");
  } catch (error) {
    throw new Rejection("INPUT_UNREADABLE", `${path} cannot be read.`, { cause: error });
  }
  throw new Rejection("INPUT_UNREADABLE", `${path} is not a file.`);
}
