/** The gate in front of held tools: this run's own approvals first, then the approval log. */
import type { Redactor } from "../membrane/redaction.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import type { ApprovalGate, GatedCall, GateVerdict } from "../turn/approvalGate.ts";
import { approvalId } from "./approvalId.ts";
import { withApprovals } from "./approvalLog.ts";
import { type ApprovalEntry, decideApproval } from "./decideApproval.ts";

export function createGate(of: {
  readonly config: AgentConfig;
  readonly runId: string;
  readonly agentSha256: string;
  readonly nowMs: () => number;
  readonly redactor: Redactor;
}): ApprovalGate {
  const { config, runId } = of;
  const held = new Set(config.approval_required_tools);
  const approved = new Set(config.approved_tools);
  return {
    holds: (tool) => held.has(tool),
    decide(call) {
      const id = approvalId({
        runId,
        agentSha256: of.agentSha256,
        policySha256: config.policy?.sha256 ?? null,
        ...call,
      });
      if (approved.has(call.tool)) {
        return { record: "tool_approval_granted", fields: { approval_id: id, approval_mode: "pregranted" } };
      }
      if (config.approval_log === null) {
        return {
          record: "tool_approval_pending",
          fields: { approval_id: id, approval_mode: "pre_effect_required" },
        };
      }
      return fromLog({ ...of, path: config.approval_log.path, name: config.approval_log.name }, id, call);
    },
  };
}

/** A use is written, under the lock, before the effect may happen: a crash between wastes an approval, never doubles it. */
function fromLog(
  of: {
    readonly config: AgentConfig;
    readonly runId: string;
    readonly path: string;
    readonly name: string;
    readonly nowMs: () => number;
    readonly redactor: Redactor;
  },
  id: string,
  call: GatedCall,
): GateVerdict {
  const nowMs = of.nowMs();
  const maxAgeMs = of.config.approval_max_age_ms;
  const base = {
    approval_id: id,
    approval_mode: "approval_log",
    approval_log: of.name,
    approval_max_age_ms: maxAgeMs,
  };
  const request: ApprovalEntry = {
    type: "approval_request",
    approval_id: id,
    at_ms: nowMs,
    run_id: of.runId,
    tool: call.tool,
    args: of.redactor.record(call.args),
  };
  return withApprovals<GateVerdict>(of.path, (entries) => {
    const approval = decideApproval(entries, id, { nowMs, maxAgeMs });
    switch (approval.state) {
      case "granted": {
        const use: ApprovalEntry = { type: "approval_use", approval_id: id, at_ms: nowMs, run_id: of.runId };
        const fields = { ...base, approval_age_ms: approval.ageMs, reason: approval.reason };
        return { add: [use], result: { record: "tool_approval_granted", fields } };
      }
      case "denied": {
        const fields = { ...base, approval_age_ms: approval.ageMs, reason: approval.reason };
        return { add: [], result: { record: "tool_approval_denied", fields } };
      }
      case "stale":
      case "used": {
        const fields = {
          ...base,
          approval_age_ms: approval.ageMs,
          why: approval.state,
          resume: "decide_again",
        };
        return { add: [request], result: { record: "tool_approval_stale", fields } };
      }
      default: {
        const asked = entries.at(-1)?.approval_id === id;
        const fields = { ...base, resume: "decide_and_run_again" };
        return { add: asked ? [] : [request], result: { record: "tool_approval_pending", fields } };
      }
    }
  });
}
