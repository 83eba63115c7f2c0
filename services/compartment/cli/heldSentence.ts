/** What a person does about a call that a run did not make because nobody has allowed it. Pure. */
import { relative } from "node:path";
import type { NamedPath } from "../policy/agentConfig.ts";
import type { HeldCall } from "../turn/turnState.ts";

/** @param log where the run asked; null: nowhere, so that nothing can be allowed yet */
export function heldSentence({ tool, approval_id }: HeldCall, log: NamedPath | null, cwd: string): string {
  const held = `held: the call of ${tool} waits for a person, as ${approval_id}`;
  if (log === null) return `${held}; name a log for its approval with --approval-log=<file> and run again`;
  const near = relative(cwd, log.path);
  const path = shellWord(near.startsWith("..") ? log.path : near);
  return `${held}; allow it once and run again: cazi agent approval allow ${path} ${approval_id}`;
}

/** A policy names the log: what is pasted into a shell must be one word there. */
function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
