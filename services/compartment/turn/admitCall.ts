/** Everything that is checked before an effect may happen, in the order of cost; each refusal with its record. */
import { answerFailure } from "../membrane/answers.ts";
import { byteLength, JSON_DEPTH_MAX, type JsonObject, jsonDepth, plainCopy } from "../membrane/jsonText.ts";
import type { Tool } from "../tools/tool.ts";
import { refuseBudget, type TurnState } from "./turnState.ts";

export type Admission =
  | { readonly tool: Tool; readonly args: JsonObject }
  | { readonly refused: string }
  /** In a job: the call waits for a person, and the program with it. */
  | { readonly held: true };

export async function admitCall(
  turn: TurnState,
  of: { readonly name: string; readonly argsText: string; readonly call: number },
): Promise<Admission> {
  const { name, argsText, call } = of;
  const tool = turn.grants.tools.get(name);
  if (tool === undefined) return deny(turn, name, "not_granted", call);
  const limit = turn.budgets.max_tool_arg_bytes;
  const attempted = byteLength(argsText);
  if (attempted > limit) {
    return { refused: refuseBudget(turn, { budget: "tool_arg_bytes", limit, attempted, tool: name }) };
  }
  if (jsonDepth(argsText) > JSON_DEPTH_MAX) {
    return invalid(turn, name, `The arguments are more than ${JSON_DEPTH_MAX} levels deep.`, call);
  }
  const args = plainCopy(JSON.parse(argsText)) as JsonObject;
  const fault = tool.check(args);
  if (fault !== null) return invalid(turn, name, fault, call);
  const reason = await tool.admit(args);
  if (reason !== null) return deny(turn, name, reason, call);
  return turn.grants.gate.holds(name) ? gated(turn, tool, args, call) : { tool, args };
}

function gated(turn: TurnState, tool: Tool, args: JsonObject, call: number): Admission {
  const verdict = turn.grants.gate.decide({ tool: tool.name, args, callIndex: call });
  turn.log.append(verdict.record, { tool: tool.name, call, ...verdict.fields });
  if (verdict.record === "tool_approval_granted") return { tool, args };
  const undecided = verdict.record !== "tool_approval_denied";
  if (undecided && turn.journal !== null) return { held: true };
  const denied = deny(turn, tool.name, "approval_required", call);
  return undecided ? hold(turn, tool.name, String(verdict.fields.approval_id)) : denied;
}

/** In a run, which does not wait: refused in words of its own, for the tool is granted. */
function hold(turn: TurnState, tool: string, approval_id: string): Admission {
  turn.held.push({ tool, approval_id });
  const message = `agent tool denied: ${tool}: the call is held until a person allows ${approval_id}`;
  return { refused: answerFailure({ name: "Error", message, code: "TOOL_HELD" }) };
}

function deny(turn: TurnState, tool: string, reason: string, call: number): Admission {
  turn.log.append("tool_denial", { tool, policy: "denied", reason, call });
  return {
    refused: answerFailure({ name: "Error", message: `agent tool denied: ${tool}`, code: "TOOL_DENIED" }),
  };
}

function invalid(turn: TurnState, tool: string, reason: string, call: number): Admission {
  turn.log.append("tool_invalid_args", { tool, reason, call });
  const message = `agent tool arguments: ${reason}`;
  return { refused: answerFailure({ name: "TypeError", message, code: "TOOL_ARGUMENTS" }) };
}
