/** Reads a log and trusts nothing of it: every line is checked against the chain before any is believed. Pure. */
import { isJsonObject, type JsonObject } from "../membrane/jsonText.ts";
import { sha256 } from "../membrane/sha256.ts";
import { CHAIN_START, openLine } from "./auditChain.ts";

export type AuditRecord = JsonObject & { readonly type: string; readonly seq: number };

export type AuditReading =
  | {
      readonly state: "complete" | "incomplete";
      readonly records: readonly AuditRecord[];
      readonly head: string;
      /** The last line has no end: the writer died in the middle of it. Its bytes are not among the records. */
      readonly tornLine: number | null;
    }
  | { readonly state: "refused"; readonly line: number; readonly why: string };

/** `incomplete`: a chain that holds, but without `run_end` at its end. */
export function readAuditLog(text: string): AuditReading {
  const lines = text.split("\n");
  const last = lines.pop()!;
  const records: AuditRecord[] = [];
  let head = CHAIN_START;
  for (const [index, line] of lines.entries()) {
    const refused = (why: string) => ({ state: "refused" as const, line: index + 1, why });
    const opened = openLine(line);
    if (opened === null) return refused("it is not a sealed record");
    if (sha256(head + opened.text) !== opened.hash) {
      return refused("it is not what was written after the line before it");
    }
    const record = parseRecord(opened.text);
    if (record === null) return refused("it is not a record");
    const why = misplaced(record, index, records.at(-1), head);
    if (why !== null) return refused(why);
    records.push(record);
    head = opened.hash;
  }
  if (records.length === 0) return { state: "refused", line: 1, why: "there is no whole record" };
  const tornLine = last === "" ? null : lines.length + 1;
  const complete = records.at(-1)!.type === "run_end" && tornLine === null;
  return { state: complete ? "complete" : "incomplete", records, head, tornLine };
}

function parseRecord(text: string): AuditRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && typeof value.type === "string" ? (value as AuditRecord) : null;
  } catch {
    return null;
  }
}

function misplaced(
  record: AuditRecord,
  index: number,
  before: AuditRecord | undefined,
  head: string,
): string | null {
  if (record.seq !== index) return `its number is not ${index}`;
  if ((index === 0) !== (record.type === "run_start")) return "a log is one run that begins with run_start";
  if (before?.type === "run_end") return "it stands after the end of the run";
  if (record.type === "run_end" && (record.head !== head || record.records !== index + 1)) {
    return "the end does not close what stands before it";
  }
  return null;
}
