/**
 * A job's journal on the disk: private to its owner, one entry a line, chained like the audit log, so that an edited
 * journal is refused instead of believed. A torn last line is a crash of the writer and is cut off.
 */
import { closeSync, existsSync, fdatasyncSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { Rejection } from "../../kernel/errors.ts";
import { CHAIN_START, openLine, sealLine } from "../audit/auditChain.ts";
import { writeLine } from "../audit/writeLine.ts";
import { sha256 } from "../membrane/sha256.ts";
import type { JournalEntry } from "./journalEntry.ts";

/** A journal's length and the hash of its last entry. */
export interface JournalStanding {
  readonly count: number;
  readonly head: string;
}

export interface JournalFile {
  readonly entries: readonly JournalEntry[];
  /** Written, not synced: a dead process loses nothing of it, a power cut may lose its end. */
  append(entry: JournalEntry): void;
  sync(): void;
  count(): number;
  /** Hash of the entry with this number, counted from 1; of the whole journal when it is the count. */
  headAt(count: number): string | undefined;
  close(): void;
}

/** @throws Rejection `JOURNAL_REFUSED` with the line that does not follow from the ones before it */
export function openJournal(path: string): JournalFile {
  const { entries, heads, bytes } = readJournal(textOf(path), path);
  const file = openSync(path, "a", 0o600);
  ftruncateSync(file, bytes);
  return {
    entries,
    append(entry) {
      const { line, hash } = sealLine(heads.at(-1)!, JSON.stringify(entry));
      writeLine(file, line);
      heads.push(hash);
    },
    sync: () => fdatasyncSync(file),
    count: () => heads.length - 1,
    headAt: (count) => heads[count],
    close: () => closeSync(file),
  };
}

/**
 * Reads a journal and changes nothing, so that it needs no lock: of a job that is at work, read its manifest before.
 * @param known what the job's manifest says of its journal
 * @throws Rejection `JOURNAL_REFUSED` as {@link openJournal} and {@link refuseOtherJournal}
 */
export function checkJournal(path: string, known: JournalStanding): void {
  const { heads } = readJournal(textOf(path), path);
  refuseOtherJournal(known, (count) => heads[count]);
}

/** @throws Rejection `JOURNAL_REFUSED` where the journal did not grow from the one that is known */
export function refuseOtherJournal(known: JournalStanding, headAt: JournalFile["headAt"]): void {
  if (headAt(known.count) === known.head) return;
  throw new Rejection(
    "JOURNAL_REFUSED",
    "The journal is shorter than the job's manifest says, or another one.",
  );
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function readJournal(text: string, path: string) {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const entries: JournalEntry[] = [];
  const heads = [CHAIN_START];
  for (const [index, line] of whole.split("\n").slice(0, -1).entries()) {
    const opened = openLine(line);
    if (opened === null || sha256(heads.at(-1)! + opened.text) !== opened.hash) {
      throw new Rejection("JOURNAL_REFUSED", `Line ${index + 1} of ${path} is not what was written there.`);
    }
    entries.push(JSON.parse(opened.text) as JournalEntry);
    heads.push(opened.hash);
  }
  return { entries, heads, bytes: Buffer.byteLength(whole) };
}
