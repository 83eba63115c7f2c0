/** What the entries of an approval log say of one id, now. Pure. */

export type ApprovalEntry =
  | {
      readonly type: "approval_request";
      readonly approval_id: string;
      readonly at_ms: number;
      readonly run_id: string;
      readonly tool: string;
      readonly args: unknown;
    }
  | {
      readonly type: "approval_decision";
      readonly approval_id: string;
      readonly at_ms: number;
      readonly decision: "allow" | "deny";
      readonly reason: string | null;
    }
  | {
      readonly type: "approval_use";
      readonly approval_id: string;
      readonly at_ms: number;
      readonly run_id: string;
    };

export type Approval =
  | { readonly state: "pending" }
  | {
      readonly state: "granted" | "denied" | "stale" | "used";
      readonly ageMs: number;
      readonly reason: string | null;
    };

/**
 * The newest decision counts, unless it was used since. A decision from the future is as old as can be: a clock that
 * was set back must not keep an approval fresh.
 */
export function decideApproval(
  entries: readonly ApprovalEntry[],
  id: string,
  of: { readonly nowMs: number; readonly maxAgeMs: number | null },
): Approval {
  const own = entries.filter((entry) => entry.approval_id === id);
  const at = own.findLastIndex((entry) => entry.type === "approval_decision");
  const decision = own[at];
  if (decision?.type !== "approval_decision") return { state: "pending" };
  const ageMs = of.nowMs - decision.at_ms;
  const about = { ageMs, reason: decision.reason };
  if (decision.decision === "deny") return { state: "denied", ...about };
  if (own.slice(at).some((entry) => entry.type === "approval_use")) return { state: "used", ...about };
  if (of.maxAgeMs !== null && (ageMs > of.maxAgeMs || ageMs < 0)) return { state: "stale", ...about };
  return { state: "granted", ...about };
}

export interface WaitingApproval {
  readonly approval_id: string;
  readonly run_id: string;
  readonly tool: string;
  readonly args: unknown;
  readonly asked_ms: number;
}

/** Requests without a decision since, newest request of each id, oldest first. */
export function waitingApprovals(entries: readonly ApprovalEntry[]): WaitingApproval[] {
  const waiting = new Map<string, WaitingApproval>();
  for (const entry of entries) {
    waiting.delete(entry.approval_id);
    if (entry.type !== "approval_request") continue;
    const { approval_id, run_id, tool, args, at_ms } = entry;
    waiting.set(approval_id, { approval_id, run_id, tool, args, asked_ms: at_ms });
  }
  return [...waiting.values()];
}
