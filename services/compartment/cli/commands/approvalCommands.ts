/** `agent approval inbox|allow|deny`: a person's side of the gate. An approval waits in the log that the run named. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Rejection } from "../../../kernel/errors.ts";
import { readApprovals, withApprovals } from "../../approvals/approvalLog.ts";
import { type ApprovalEntry, waitingApprovals } from "../../approvals/decideApproval.ts";
import { plainLine } from "../../membrane/plainLine.ts";
import type { AgentIo, RunCommand } from "../agentIo.ts";
import type { ParsedFlags } from "../parseFlags.ts";

export const approvalInbox: RunCommand = async (io, flags) => {
  const path = existingLog(io, flags);
  const waiting = waitingApprovals(readApprovals(path));
  if (flags.switches.has("json")) io.out(`${JSON.stringify({ type: "agent_approval_inbox", waiting })}\n`);
  else if (waiting.length === 0) io.out("Nothing waits.\n");
  else {
    for (const one of waiting) {
      const call = `run ${one.run_id} calls ${one.tool} with ${JSON.stringify(one.args)}`;
      io.out(`${plainLine(one.approval_id)}\n  ${plainLine(call)}\n`);
    }
  }
  return 0;
};

export const approvalAllow: RunCommand = async (io, flags) => decide(io, flags, "allow");
export const approvalDeny: RunCommand = async (io, flags) => decide(io, flags, "deny");

/** A decision needs a request: a mistyped id must not look like a decision that was taken. */
function decide(io: AgentIo, flags: ParsedFlags, decision: "allow" | "deny"): number {
  const path = existingLog(io, flags);
  const id = flags.positionals[1]!;
  const entry: ApprovalEntry = {
    type: "approval_decision",
    approval_id: id,
    at_ms: io.clock.now(),
    decision,
    reason: flags.texts.get("reason") ?? null,
  };
  withApprovals(path, (entries) => {
    if (!entries.some(({ approval_id }) => approval_id === id)) {
      throw new Rejection("INPUT_UNREADABLE", `Nothing in ${path} asked for ${id}.`, {
        hint: "`cazi agent approval inbox` lists what waits.",
      });
    }
    return { add: [entry], result: null };
  });
  if (flags.switches.has("json")) io.out(`${JSON.stringify(entry)}\n`);
  else io.out(`${decision === "allow" ? "Allowed" : "Denied"} ${id}.\n`);
  return 0;
}

function existingLog(io: AgentIo, flags: ParsedFlags): string {
  const path = resolve(io.cwd, flags.positionals[0]!);
  if (!existsSync(path)) {
    throw new Rejection("INPUT_UNREADABLE", `${path} is not there.`, {
      hint: "A run with --approval-log creates it when a call is held.",
    });
  }
  return path;
}
