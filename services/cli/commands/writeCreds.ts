import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Rejection } from "../../kernel/errors.ts";

/**
 * Writes credentials for somebody outside, for this user alone to read.
 * @param isNamed the caller chose the file: it may be anything, and is not overwritten
 * @throws Rejection `NODE_CREDS_EXIST`
 */
export function writeCreds(file: string, creds: Uint8Array, isNamed: boolean): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // What an earlier try left at our own place never worked, or was replaced.
    writeFileSync(file, creds, { mode: 0o600, flag: isNamed ? "wx" : "w" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Rejection("NODE_CREDS_EXIST", `${file} is there already`, {
      hint: "Name another file with --creds, or move that one away.",
    });
  }
}
