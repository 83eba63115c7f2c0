/** The durable list of requests, decisions and uses: one JSON object a line, appended under a lock, synced. */
import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import { takeFileLock } from "../locks/fileLock.ts";
import type { ApprovalEntry } from "./decideApproval.ts";

const TYPES = new Set(["approval_request", "approval_decision", "approval_use"]);

/** @throws Rejection `APPROVAL_LOG_REFUSED` with the line that is not an entry */
export function readApprovals(path: string): ApprovalEntry[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (line === "") return [];
      const entry = entryOf(line);
      if (entry === null) {
        throw new Rejection(
          "APPROVAL_LOG_REFUSED",
          `Line ${index + 1} of ${path} is not an entry of an approval log.`,
        );
      }
      return [entry];
    });
}

function entryOf(line: string): ApprovalEntry | null {
  try {
    const entry = JSON.parse(line) as ApprovalEntry;
    const fits =
      TYPES.has(entry.type) && typeof entry.approval_id === "string" && Number.isFinite(entry.at_ms);
    return fits ? entry : null;
  } catch {
    return null;
  }
}

/**
 * Reads the log, lets `decide` choose what to add, and adds it, all under the log's lock: two runs cannot both use one
 * approval.
 * @throws Rejection `APPROVAL_LOG_LOCKED` while another living process holds the lock
 */
export function withApprovals<T>(
  path: string,
  decide: (entries: readonly ApprovalEntry[]) => {
    readonly add: readonly ApprovalEntry[];
    readonly result: T;
  },
): T {
  mkdirSync(dirname(path), { recursive: true });
  const unlock = takeFileLock(`${path}.lock`);
  if (unlock === null) {
    throw new Rejection("APPROVAL_LOG_LOCKED", `${path} is held by another process.`, { hint: "Try again." });
  }
  try {
    const { add, result } = decide(readApprovals(path));
    if (add.length > 0) append(path, add.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    return result;
  } finally {
    unlock();
  }
}

function append(path: string, text: string): void {
  const file = openSync(path, "a", 0o600);
  try {
    writeSync(file, text);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
