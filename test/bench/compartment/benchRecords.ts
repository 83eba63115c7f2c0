/** The audit log by itself, beside the same bytes written by nobody who thinks about them. */
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createAuditLog } from "../../../services/compartment/audit/auditLog.ts";
import { createRedactor } from "../../../services/compartment/membrane/redaction.ts";
import { compared, type Figure } from "../figures.ts";

const WRITTEN = 100_000;
const SYNCED = 500;

export function benchRecords({
  folder,
  rounds,
}: {
  readonly folder: string;
  readonly rounds: number;
}): Figure[] {
  const rates = (count: number, sync: boolean) =>
    Array.from({ length: rounds }, () => {
      const path = join(folder, "records.jsonl");
      const value = chained(path, count, sync);
      const lines = readFileSync(path, "utf8").split(/(?<=\n)/);
      rmSync(path);
      const control = bare(path, lines, sync);
      rmSync(path);
      return { value, control };
    });
  return [
    compared({
      name: "audit records, chained and written",
      unit: "records/s",
      controlName: "the same lines, one write each",
      target: { of: "value", is: "at least", value: 150_000 },
      rounds: rates(WRITTEN, false),
    }),
    compared({
      name: "audit records, each synced",
      unit: "records/s",
      controlName: "the same lines, one write and one fdatasync each",
      target: { of: "ratio", is: "at least", value: 0.8 },
      rounds: rates(SYNCED, true),
    }),
  ];
}

function chained(path: string, count: number, sync: boolean): number {
  const redactor = createRedactor({ fields: [], secrets: ["a-secret-value"] });
  const log = createAuditLog({ path, runId: "bench", redactor, elapsedMs: () => performance.now() });
  const began = performance.now();
  for (let call = 0; call < count; call++) {
    log.append("tool_call", {
      tool: "echo",
      policy: "allowed",
      args: { n: call, text: "some text" },
      arg_bytes: 30,
      call,
    });
    if (sync) log.sync();
  }
  const tookMs = performance.now() - began;
  log.close();
  return (count / tookMs) * 1000;
}

function bare(path: string, lines: readonly string[], sync: boolean): number {
  const file = openSync(path, "w");
  const began = performance.now();
  for (const line of lines) {
    writeSync(file, line);
    if (sync) fdatasyncSync(file);
  }
  const tookMs = performance.now() - began;
  closeSync(file);
  return (lines.length / tookMs) * 1000;
}
