/** The runs that a folder has logs of, oldest first, each as its own log says it. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../membrane/jsonText.ts";
import { readAuditLog } from "./readAuditLog.ts";
import { summarize } from "./summarize.ts";

export interface ListedRun {
  readonly path: string;
  readonly written_ms: number;
  /** `refused`: the chain does not hold, and nothing of the log is believed. */
  readonly state: "complete" | "incomplete" | "refused";
  readonly run_id: string | null;
  readonly status: string | null;
  readonly reason: string | null;
  readonly events: number | null;
  readonly tool_calls: number | null;
  readonly head: string | null;
}

/** Logs are the files that end in `.jsonl`, or in a number after it: an older log of the same run. */
const LOG_NAME = /\.jsonl(\.\d+)?$/;

export function listRuns(folders: readonly string[]): readonly ListedRun[] {
  const paths = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => LOG_NAME.test(path) && isLog(path));
  return [...new Set(paths)]
    .map(listed)
    .sort((a, b) => a.written_ms - b.written_ms || (a.path < b.path ? -1 : 1));
}

/** Another kind of list, such as the approvals, may stand beside the logs. */
function isLog(path: string): boolean {
  return readFileSync(path, "utf8").startsWith('{"type":"run_start"');
}

function listed(path: string): ListedRun {
  const written_ms = Math.round(statSync(path).mtimeMs);
  const reading = readAuditLog(readFileSync(path, "utf8"));
  if (reading.state === "refused") {
    const none = { run_id: null, status: null, reason: null, events: null, tool_calls: null, head: null };
    return { path, written_ms, state: "refused", ...none };
  }
  const complete = reading.state === "complete";
  const about = { head: reading.head, complete, tornLine: reading.tornLine };
  const summary: JsonObject = summarize(reading.records, about);
  return {
    path,
    written_ms,
    state: reading.state,
    run_id: summary.run_id as string | null,
    status: summary.status as string | null,
    reason: summary.reason as string | null,
    events: summary.events as number,
    tool_calls: summary.tool_calls as number,
    head: reading.head,
  };
}
