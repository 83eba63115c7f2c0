/** `agent replay`: what a log says, after its chain was checked. */
import { resolve } from "node:path";
import { Rejection } from "../../../kernel/errors.ts";
import { compareRuns } from "../../audit/compareRuns.ts";
import { type AuditReading, readAuditLog } from "../../audit/readAuditLog.ts";
import { readLogText } from "../../audit/readLogText.ts";
import { isPage, renderPage } from "../../audit/renderPage.ts";
import { summarize } from "../../audit/summarize.ts";
import type { RunCommand } from "../agentIo.ts";
import { type ParsedFlags, usage } from "../parseFlags.ts";
import { writeResult } from "../writeResult.ts";

type Trusted = Exclude<AuditReading, { readonly state: "refused" }>;

export const replay: RunCommand = async (io, flags) => {
  const paths = flags.positionals.map((path) => resolve(io.cwd, path));
  if (flags.switches.has("diff")) {
    if (paths.length !== 2) throw usage("--diff compares two logs.");
    const [before, after] = paths.map((path) => trusted(path, flags)) as [Trusted, Trusted];
    const found = compareRuns(before.records, after.records, { events: flags.switches.has("events") });
    io.out(`${JSON.stringify(found, null, flags.switches.has("json") ? 0 : 2)}\n`);
    return found.same ? 0 : 1;
  }
  if (paths.length !== 1) throw usage("Name one log, or two with --diff.");
  const reading = trusted(paths[0]!, flags);
  const summary = summarize(reading.records, {
    head: reading.head,
    complete: reading.state === "complete",
    tornLine: reading.tornLine,
  });
  const page = flags.texts.get("html");
  if (page !== undefined) {
    writeResult(resolve(io.cwd, page), renderPage(reading.records, summary), {
      sources: paths,
      force: flags.switches.has("force"),
      isOwn: isPage,
      hint: "Name another file with --html, or overwrite it with --force.",
    });
  }
  io.out(`${JSON.stringify(summary, null, flags.switches.has("json") ? 0 : 2)}\n`);
  return 0;
};

/** @throws Rejection `AUDIT_LOG_REFUSED`, `AUDIT_LOG_INCOMPLETE`, `AUDIT_HEAD_DIFFERS`, `INPUT_UNREADABLE` */
export function trusted(path: string, flags: ParsedFlags): Trusted {
  const reading = readAuditLog(readLogText(path));
  if (reading.state === "refused") {
    throw new Rejection(
      "AUDIT_LOG_REFUSED",
      `${path} is not an intact log: line ${reading.line}, ${reading.why}.`,
    );
  }
  if (reading.state === "incomplete" && !flags.switches.has("allow-incomplete")) {
    const torn = reading.tornLine === null ? "" : `, and line ${reading.tornLine} is torn`;
    throw new Rejection("AUDIT_LOG_INCOMPLETE", `${path} has no end of the run${torn}.`, {
      hint: "--allow-incomplete shows what there is.",
    });
  }
  const expected = flags.texts.get("expect-head");
  if (expected !== undefined && expected !== reading.head) {
    throw new Rejection("AUDIT_HEAD_DIFFERS", `The head of ${path} is ${reading.head}, not ${expected}.`, {
      hint: "It is not the log that the head was written down of, or not all of it.",
    });
  }
  return reading;
}
