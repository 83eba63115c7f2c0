/** A job's manifest: what it is pinned to and where it stands. Written whole, by rename, synced with its folder. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import type { JournaledCall } from "../turn/turnState.ts";
import type { Await } from "./journalEntry.ts";
import type { JournalStanding } from "./journalFile.ts";

export type JobStatus =
  | "created"
  | "running"
  | "completed"
  | "failed"
  | "cancelled"
  | "expired"
  | "awaiting_timer"
  | "awaiting_tool"
  | "awaiting_input"
  | "awaiting_operator";

export type OpenAwait = Await | HeldApproval;

/** A synchronous stand-still: the program waits in the middle of a call. */
export interface HeldApproval {
  readonly kind: "approval";
  readonly approval_id: string;
  readonly tool: string;
  readonly call: number;
}

export interface JobManifest {
  readonly type: "cazi_agent_job_manifest";
  readonly schema_version: 1;
  readonly job_id: string;
  readonly status: JobStatus;
  readonly reason: string | null;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly policy_path: string | null;
  /** Null where a module is the program. */
  readonly agent_path: string | null;
  /** SHA-256 of everything that the re-execution depends on; a tick refuses when one of them is another now. */
  readonly pins: Readonly<Record<string, string>>;
  readonly start_ms: number;
  readonly seed: number;
  /** Ticks that were begun. */
  readonly turn_cursor: number;
  /** Run id of the tick that is under way, or died. */
  readonly active_turn_id: string | null;
  readonly last_turn_status: "ok" | "suspended" | "error" | null;
  readonly awaits: readonly OpenAwait[];
  readonly unknown: readonly JournaledCall[];
  readonly budget_ledger: {
    readonly turns: number;
    readonly events: number;
    readonly tools: number;
    /** Ticks that ended in an error. */
    readonly failures: number;
    readonly outstanding_awaits: number;
  };
  /** Of the journal, when this was written: it may have grown since, never shrunk. */
  readonly journal: JournalStanding;
  /** Head of the newest audit log. */
  readonly audit_head: string | null;
}

export const finalStatuses: readonly JobStatus[] = ["completed", "failed", "cancelled", "expired"];

export function writeManifest(folder: string, manifest: JobManifest): void {
  writeDurably(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @throws Rejection `JOB_NOT_FOUND`, `JOB_UNREADABLE` */
export function readManifest(folder: string): JobManifest {
  const path = join(folder, "manifest.json");
  if (!existsSync(path)) {
    throw new Rejection("JOB_NOT_FOUND", `There is no job in ${folder}.`, {
      hint: "`cazi agent schedule list` names the jobs of a store; --store says which store.",
    });
  }
  try {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as JobManifest;
    if (manifest.schema_version === 1) return manifest;
  } catch {
    // Told below, as for a manifest of another version.
  }
  throw new Rejection("JOB_UNREADABLE", `${path} is not a manifest of this version.`);
}

/** The name is the old content or the new one, also after a power cut. */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, "w", 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}
