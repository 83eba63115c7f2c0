/** What the tool membrane asks before a gated call; `approvals/` decides. */
import type { JsonObject } from "../membrane/jsonText.ts";

export interface GatedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Position among all the calls of the run, denied ones too. */
  readonly callIndex: number;
}

export interface GateVerdict {
  readonly record:
    | "tool_approval_granted"
    | "tool_approval_denied"
    | "tool_approval_stale"
    | "tool_approval_pending";
  readonly fields: JsonObject;
}

export interface ApprovalGate {
  holds(tool: string): boolean;
  /** Decides, and uses a single-use approval up before it says yes. */
  decide(call: GatedCall): GateVerdict;
}
