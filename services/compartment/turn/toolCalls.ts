/**
 * The tool membrane. A call ends in exactly one audited outcome: `tool_invalid_args`, `tool_denial`,
 * `budget_exceeded`, `tool_result`, `tool_error` or `tool_timeout`, and that record is written before the guest sees
 * it. Completions of promises are handed over one at a time, when the guest is idle, in the order they came.
 */
import { sha256 } from "../engine/engineModule.ts";
import {
  answerFailure,
  answerPromise,
  answerValue,
  completionFailure,
  completionValue,
  type GuestFailure,
} from "../membrane/answers.ts";
import { byteLength, JSON_DEPTH_MAX, type JsonObject, jsonDepth, plainCopy } from "../membrane/jsonText.ts";
import { type Tool, ToolFailure } from "../tools/tool.ts";
import { budgetFailure, refuseBudget, refuseClosed, type TurnState } from "./turnState.ts";

type Outcome = { readonly json: string } | { readonly failure: GuestFailure };

interface Completion {
  readonly id: number;
  readonly settle: () => Outcome;
}

export interface ToolCalls {
  call(nameText: string, argsText: string): Promise<string>;
  /** The prelude could not make JSON of the arguments. */
  invalid(nameText: string, reasonText: string): void;
  /** The next completion for the guest, waiting for one while any call is open; null when none is. */
  nextCompletion(): Promise<string | null>;
  /** Ends what is still open, each with its record. */
  end(): void;
}

export function createToolCalls(turn: TurnState): ToolCalls {
  const open = new Map<number, { readonly tool: string; readonly abort: AbortController }>();
  const done: Completion[] = [];
  let wake: (() => void) | null = null;

  const startPromise = (tool: Tool, args: JsonObject, callIndex: number): string => {
    const abort = new AbortController();
    open.set(callIndex, { tool: tool.name, abort });
    void runTool(turn, { tool, args, call: callIndex }, abort).then((settle) => {
      if (!open.has(callIndex)) return;
      done.push({ id: callIndex, settle });
      wake?.();
    });
    return answerPromise(callIndex);
  };

  return {
    async call(nameText, argsText) {
      const refused = refuseClosed(turn, "callTool");
      if (refused !== null) return refused;
      const callIndex = turn.calls++;
      const admitted = await admit(turn, JSON.parse(nameText) as string, argsText, callIndex);
      if ("refused" in admitted) return admitted.refused;
      const { tool, args } = admitted;
      turn.log.append("tool_call", {
        tool: tool.name,
        policy: "allowed",
        args,
        arg_bytes: byteLength(argsText),
        args_sha256: sha256(argsText),
        call: callIndex,
      });
      if (tool.mode === "promise") return startPromise(tool, args, callIndex);
      const outcome = (await runTool(turn, { tool, args, call: callIndex }, new AbortController()))();
      return "json" in outcome ? answerValue(outcome.json) : answerFailure(outcome.failure);
    },
    invalid(nameText, reasonText) {
      if (refuseClosed(turn, "callTool") !== null) return;
      turn.log.append("tool_invalid_args", {
        tool: JSON.parse(nameText) as string,
        reason: JSON.parse(reasonText) as string,
        call: turn.calls++,
      });
    },
    async nextCompletion() {
      while (done.length === 0) {
        if (open.size === 0) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const { id, settle } = done.shift()!;
      open.delete(id);
      const outcome = settle();
      return "json" in outcome ? completionValue(id, outcome.json) : completionFailure(id, outcome.failure);
    },
    end() {
      for (const [id, { tool, abort }] of open) {
        abort.abort();
        const finished = done.find((one) => one.id === id);
        if (finished !== undefined) finished.settle();
        else turn.log.append("tool_error", { tool, code: "TURN_ENDED", outcome: "unknown", call: id });
      }
      open.clear();
    },
  };
}

type Admission = { readonly tool: Tool; readonly args: JsonObject } | { readonly refused: string };

/** Everything that is checked before an effect may happen, in the order of cost. */
async function admit(turn: TurnState, name: string, argsText: string, call: number): Promise<Admission> {
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
  if (turn.grants.gate.holds(name)) {
    const verdict = turn.grants.gate.decide({ tool: name, args, callIndex: call });
    turn.log.append(verdict.record, { tool: name, call, ...verdict.fields });
    if (verdict.record !== "tool_approval_granted") return deny(turn, name, "approval_required", call);
  }
  return { tool, args };
}

function deny(turn: TurnState, tool: string, reason: string, call: number): Admission {
  turn.log.append("tool_denial", { tool, policy: "denied", reason, call });
  return {
    refused: answerFailure({ name: "Error", message: `agent tool denied: ${tool}`, code: "TOOL_DENIED" }),
  };
}

function invalid(turn: TurnState, tool: string, reason: string, call: number): Admission {
  turn.log.append("tool_invalid_args", { tool, reason, call });
  return {
    refused: answerFailure({
      name: "TypeError",
      message: `agent tool arguments: ${reason}`,
      code: "TOOL_ARGUMENTS",
    }),
  };
}

/** Runs a tool within its time. What it gives back writes the record, at the moment that it is handed over. */
async function runTool(
  turn: TurnState,
  { tool, args, call }: { readonly tool: Tool; readonly args: JsonObject; readonly call: number },
  abort: AbortController,
): Promise<() => Outcome> {
  const limitMs = turn.budgets.tool_timeout_ms;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), limitMs);
  });
  try {
    const running = tool.run({
      args,
      signal: abort.signal,
      record: (type, fields) => turn.log.append(type, fields),
    });
    const result = await Promise.race([running, late]);
    if (result !== "late") return () => given(turn, tool.name, result, call);
    running.catch(() => {});
    abort.abort();
    return () => {
      turn.log.append("tool_timeout", { tool: tool.name, tool_timeout_ms: limitMs, call });
      const message = `agent tool timed out: ${tool.name}`;
      return { failure: { name: "Error", message, code: "TOOL_TIMEOUT" } };
    };
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

/** The guest and the log get what the tool meant for them; a surprise of the host becomes a fixed sentence. */
function failed(turn: TurnState, tool: string, error: unknown, call: number): Outcome {
  const known = error instanceof ToolFailure;
  const code = known ? error.code : "TOOL_FAULT";
  const why = known ? turn.redactor.text(error.message) : "the tool failed inside";
  turn.log.append("tool_error", { tool, code, message: why, call });
  return { failure: { name: "Error", message: `agent tool failed: ${tool}: ${why}`, code } };
}
