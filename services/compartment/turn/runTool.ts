/** One effect within its time, and the record of what came of it. */
import type { GuestFailure } from "../membrane/answers.ts";
import { byteLength, type JsonObject, plainCopy } from "../membrane/jsonText.ts";
import { sha256 } from "../membrane/sha256.ts";
import { type Tool, ToolFailure } from "../tools/tool.ts";
import { budgetFailure, type TurnState } from "./turnState.ts";

export type Outcome = { readonly json: string } | { readonly failure: GuestFailure };

/**
 * Runs a tool. What it gives back writes the record, at the moment that the outcome is handed over.
 * @param abort null: made when the tool looks at its signal
 */
export async function runTool(
  turn: TurnState,
  { tool, args, call }: { readonly tool: Tool; readonly args: JsonObject; readonly call: number },
  abort: AbortController | null,
): Promise<() => Outcome> {
  const limitMs = turn.budgets.tool_timeout_ms;
  let timer: NodeJS.Timeout | undefined;
  try {
    const running = tool.run({
      args,
      get signal() {
        abort ??= new AbortController();
        return abort.signal;
      },
      record: (type, fields) => turn.log.append(type, fields),
    });
    if (!(running instanceof Promise)) return () => given(turn, tool.name, running, call);
    // Begun after the tool: what it gives at the end of its time is in time.
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), limitMs);
    });
    const result = await Promise.race([running, late]);
    if (result !== "late") return () => given(turn, tool.name, result, call);
    running.catch(() => {});
    abort?.abort();
    return () => timedOut(turn, tool.name, limitMs, call);
  } catch (error) {
    return () => failed(turn, tool.name, error, call);
  } finally {
    clearTimeout(timer);
  }
}

function given(turn: TurnState, tool: string, result: JsonObject, call: number): Outcome {
  const real = JSON.stringify(result);
  const seen = turn.redactor.values(plainCopy(result) as JsonObject);
  const json = JSON.stringify(seen);
  const limit = turn.budgets.max_tool_result_bytes;
  const attempted = byteLength(json);
  if (attempted > limit) {
    turn.log.append("budget_exceeded", { budget: "tool_result_bytes", limit, attempted, tool, call });
    return { failure: budgetFailure("tool_result_bytes") };
  }
  turn.log.append("tool_result", {
    tool,
    result: seen,
    result_bytes: attempted,
    result_sha256: sha256(real),
    call,
  });
  return { json };
}

function timedOut(turn: TurnState, tool: string, limitMs: number, call: number): Outcome {
  turn.log.append("tool_timeout", { tool, tool_timeout_ms: limitMs, call });
  return { failure: { name: "Error", message: `agent tool timed out: ${tool}`, code: "TOOL_TIMEOUT" } };
}

/** The guest and the log get what the tool meant for them; a surprise of the host becomes a fixed sentence. */
function failed(turn: TurnState, tool: string, error: unknown, call: number): Outcome {
  const known = error instanceof ToolFailure;
  const code = known ? error.code : "TOOL_FAULT";
  const why = known ? turn.redactor.text(error.message) : "the tool failed inside";
  turn.log.append("tool_error", { tool, code, message: why, call });
  return { failure: { name: "Error", message: `agent tool failed: ${tool}: ${why}`, code } };
}
