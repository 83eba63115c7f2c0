/** What people and other programs do to a job between ticks: give input, cancel, say what came of a call. */
import type { Clock } from "../../kernel/clock.ts";
import { Rejection } from "../../kernel/errors.ts";
import { JSON_DEPTH_MAX, type JsonValue, jsonDepth, plainCopy } from "../membrane/jsonText.ts";
import { foldJournal, type Resolution } from "./journalEntry.ts";
import type { JournalFile } from "./journalFile.ts";
import { finalStatuses, type JobManifest, writeManifest } from "./manifest.ts";
import { update, withJob } from "./tickJob.ts";

/**
 * @param of.named where the text came from, for a refusal
 * @throws Rejection `INPUT_NOT_AWAITED`, `INPUT_NOT_JSON`, `JOB_BUSY`
 */
export async function giveInput(
  clock: Clock,
  folder: string,
  of: { readonly token: string; readonly text: string; readonly named?: string },
): Promise<JobManifest> {
  const value = jsonOf(of.text, of.named ?? "The input");
  return withJob(folder, async (manifest, journal) => {
    const state = foldJournal(journal.entries, new Map());
    const found = state.awaits.find((one) => one.kind === "input" && one.token === of.token);
    const open =
      found !== undefined && !state.inputs.has(found.id) && !finalStatuses.includes(manifest.status);
    if (!open) throw new Rejection("INPUT_NOT_AWAITED", "No open wait of this job has that token.");
    journal.append({ t: "input", id: found.id, value });
    journal.sync();
    return written(folder, manifest, journal, clock, { status: "awaiting_tool" });
  });
}

function jsonOf(text: string, named: string): JsonValue {
  const refused = (why: string) => new Rejection("INPUT_NOT_JSON", `${named} ${why}.`);
  if (text.trim() === "") throw refused("is empty, and must be JSON");
  if (jsonDepth(text) > JSON_DEPTH_MAX) throw refused(`is JSON of more than ${JSON_DEPTH_MAX} levels`);
  try {
    return plainCopy(JSON.parse(text) as JsonValue);
  } catch {
    // The parser's own words quote the input, which may be nobody else's to see.
    throw refused("is not valid JSON");
  }
}

/** Cancelling twice is cancelling once; a job that ended stays as it ended. */
export async function cancelJob(clock: Clock, folder: string): Promise<JobManifest> {
  return withJob(folder, async (manifest, journal) => {
    if (manifest.status === "cancelled") return manifest;
    if (finalStatuses.includes(manifest.status)) {
      throw new Rejection("JOB_NOT_TICKABLE", `The job is ${manifest.status}.`);
    }
    return written(folder, manifest, journal, clock, { status: "cancelled", awaits: [], unknown: [] });
  });
}

/** @throws Rejection `CALL_NOT_UNKNOWN` */
export async function resolveCall(
  clock: Clock,
  folder: string,
  of: { readonly call: number; readonly is: "retry" | "fail" | { readonly resultText: string } },
): Promise<JobManifest> {
  const is: Resolution =
    of.is === "retry"
      ? "retry"
      : of.is === "fail"
        ? {
            failure: {
              name: "Error",
              message: "agent tool failed: decided by a person",
              code: "RESOLVED_AS_FAILED",
            },
          }
        : { json: JSON.stringify(jsonOf(of.is.resultText, "The result")) };
  return withJob(folder, async (manifest, journal) => {
    const { unknown } = foldJournal(journal.entries, new Map());
    if (!unknown.some(({ call }) => call === of.call)) {
      throw new Rejection("CALL_NOT_UNKNOWN", `The outcome of call ${of.call} is not in question.`);
    }
    journal.append({ t: "resolution", call: of.call, is });
    journal.sync();
    const left = unknown.filter(({ call }) => call !== of.call);
    const status = left.length > 0 ? "awaiting_operator" : "awaiting_tool";
    return written(folder, manifest, journal, clock, { status, unknown: left, awaits: [] });
  });
}

function written(
  folder: string,
  manifest: JobManifest,
  journal: JournalFile,
  clock: Clock,
  change: Partial<JobManifest>,
): JobManifest {
  const count = journal.count();
  const next = update(manifest, clock, { ...change, journal: { count, head: journal.headAt(count)! } });
  writeManifest(folder, next);
  return next;
}
