/**
 * Writes a run's audit log: one record a line, handed to the operating system before the caller goes on, so that a
 * record is there before the guest sees what it is about. Never touches the log of another run.
 */
import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { invariant, Rejection } from "../../kernel/errors.ts";
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";
import type { Redactor } from "../membrane/redaction.ts";
import { CHAIN_START, sealLine } from "./auditChain.ts";
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
 *   one is renamed to the next free `.1`, `.2`, …)
 * @throws Rejection `AUDIT_LOG_UNWRITABLE`
 */
export function createAuditLog(of: {
  readonly path: string;
  readonly runId: string;
  readonly redactor: Redactor;
  /** Milliseconds since the start of the run. */
  readonly elapsedMs: () => number;
}): AuditLog {
  setOldLogAside(of.path, of.runId);
  const file = openNew(of.path);
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

function setOldLogAside(path: string, runId: string): void {
  if (!existsSync(path)) return;
  if (runIdOf(path) !== runId) {
    throw new Rejection(
      "AUDIT_LOG_IN_USE",
      `${path} is not a log of the run ${runId} and is left as it is.`,
      {
        hint: "Name another file with --audit-log, or give this run the id of the one in the file.",
      },
    );
  }
  let number = 1;
  while (existsSync(`${path}.${number}`)) number++;
  renameSync(path, `${path}.${number}`);
}

function runIdOf(path: string): unknown {
  try {
    const [first] = readFileSync(path, "utf8").split("\n", 1);
    const record = JSON.parse(first!) as { type?: unknown; run_id?: unknown };
    return record.type === "run_start" ? record.run_id : null;
  } catch {
    return null;
  }
}

function openNew(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "wx", 0o600);
  } catch (error) {
    throw new Rejection("AUDIT_LOG_UNWRITABLE", `The audit log ${path} cannot be created.`, { cause: error });
  }
}
