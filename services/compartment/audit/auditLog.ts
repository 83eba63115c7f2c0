/**
 * Writes a run's audit log: one record a line, handed to the operating system before the caller goes on, so that a
 * record is there before the guest sees what it is about. Never touches the log of another run.
 */
import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { invariant, Rejection } from "../../kernel/errors.ts";
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";
import type { Redactor } from "../membrane/redaction.ts";
import { CHAIN_START, sealLine } from "./auditChain.ts";
import { readLogText } from "./readLogText.ts";
import { writeLine } from "./writeLine.ts";

export interface AuditLog {
  readonly path: string;
  /** Hash of the newest line. */
  head(): string;
  count(): number;
  append(type: string, fields: Readonly<Record<string, JsonValue | undefined>>): void;
  /** Waits until all of it is on the disk. */
  sync(): void;
  close(): void;
}

/**
 * Creates the log of a run.
 * @throws Rejection `AUDIT_LOG_IN_USE` when the file holds something else than an older log of the same run id (that
 *   one, and one without a record, is renamed to the next free `.1`, `.2`, …)
 * @throws Rejection `AUDIT_LOG_UNWRITABLE`; `INPUT_UNREADABLE` where something that is no file stands there
 */
export function createAuditLog(of: {
  readonly path: string;
  readonly runId: string;
  readonly redactor: Redactor;
  /** Milliseconds since the start of the run. */
  readonly elapsedMs: () => number;
}): AuditLog {
  const file = openFresh(of.path, of.runId);
  let head = CHAIN_START;
  let count = 0;
  let open = true;
  return {
    path: of.path,
    head: () => head,
    count: () => count,
    append(type, fields) {
      // Its number may be another file's by now.
      invariant(open, "an audit log that is closed takes no record");
      const record = { type, seq: count, t_ms: Math.round(of.elapsedMs()), ...fields } as JsonObject;
      const { line, hash } = sealLine(head, of.redactor.recordText(record));
      writeLine(file, line);
      head = hash;
      count++;
    },
    sync: () => fdatasyncSync(file),
    close: () => {
      open = false;
      closeSync(file);
    },
  };
}

/** A run of the same name that starts at this moment may put its file where this one has just made room. */
function openFresh(path: string, runId: string): number {
  for (let tries = 1; ; tries++) {
    setOldLogAside(path, runId);
    try {
      return openNew(path);
    } catch (error) {
      if (!existsSync(path) || tries === 10) throw error;
    }
  }
}

function setOldLogAside(path: string, runId: string): void {
  if (!existsSync(path)) return;
  if (!isLogOf(path, runId)) {
    throw new Rejection(
      "AUDIT_LOG_IN_USE",
      `${path} is not a log of the run ${runId} and is left as it is.`,
      {
        hint: "Name another file with --audit-log, or give this run the id of the one in the file.",
      },
    );
  }
  const aside = reserveAside(path);
  try {
    renameSync(path, aside);
  } catch (error) {
    rmSync(aside, { force: true });
    // Another run with this name was faster.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** The name is taken before anything is renamed to it: two runs that found the same one free would lose a log. */
function reserveAside(path: string): string {
  for (let number = 1; ; number++) {
    const aside = `${path}.${number}`;
    try {
      closeSync(openSync(aside, "wx", 0o600));
      return aside;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unwritable(path, error);
    }
  }
}

/** One without a record is of a run that is just starting, or of one that found the disk full. */
function isLogOf(path: string, runId: string): boolean {
  const [first] = readLogText(path).split("\n", 1);
  if (first === "") return true;
  try {
    const record = JSON.parse(first!) as { type?: unknown; run_id?: unknown };
    return record.type === "run_start" && record.run_id === runId;
  } catch {
    return false;
  }
}

function openNew(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "wx", 0o600);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): Rejection {
  return new Rejection("AUDIT_LOG_UNWRITABLE", `The audit log ${path} cannot be created.`, { cause });
}
