/** From the end of a run to the end of an attempt. Pure. */
import type { ExitFacts } from "../../ports.ts";
import type { ScriptEnd } from "./scriptEngine.ts";

/** As a process that a signal ended shows it. */
export const STOPPED_CODE = 128 + 15;
const KILLED_CODE = 128 + 9;
/** As `cazi agent run` exits: a budget or the engine, an input, a tool that cannot be had. */
const FAILED_CODE = 70;
const REFUSED_CODE = 65;
const NOT_GIVEN_CODE = 78;
const THROWN_CODE = 1;

type Facts = Pick<ExitFacts, "exitCode" | "oomKilled" | "timedOut">;

const codes: Readonly<Record<string, Facts>> = {
  exception: { exitCode: THROWN_CODE, oomKilled: false },
  timeout: { exitCode: STOPPED_CODE, oomKilled: false, timedOut: true },
  memory_heap_exceeded: { exitCode: KILLED_CODE, oomKilled: true },
  memory_rss_exceeded: { exitCode: KILLED_CODE, oomKilled: true },
  stopped: { exitCode: STOPPED_CODE, oomKilled: false },
  unsupported_control: { exitCode: NOT_GIVEN_CODE, oomKilled: false },
  refused: { exitCode: REFUSED_CODE, oomKilled: false },
};

/**
 * Every budget without a word of its own in a task's reasons ends with 70, and the message names it. What is said on
 * standard error is the same of the same run: a replay is compared with it, so the head of the log is in the message alone.
 */
export function scriptExit(end: ScriptEnd): Facts & { readonly message: string; readonly stderr: string } {
  const facts =
    end.reason === null
      ? { exitCode: 0, oomKilled: false }
      : (codes[end.reason] ?? { exitCode: FAILED_CODE, oomKilled: false });
  const what = [end.reason, end.message].filter((part) => part !== null).join(": ");
  const log = end.head === null ? "" : `audit log ${AUDIT_LOG_NAME}, head ${end.head}`;
  const stderr = [end.detail, what].filter((part) => part !== null && part !== "");
  return {
    ...facts,
    stderr: stderr.map((line) => `${line}\n`).join(""),
    // The head first: what follows may be the program's words, and these imitate nothing that stands before them.
    message: [log, what].filter((part) => part !== "").join("; "),
  };
}

/** Among the artifacts of the task. A script cannot take the name: its log is there before it runs. */
export const AUDIT_LOG_NAME = "agent-audit.jsonl";
