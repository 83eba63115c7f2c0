/**
 * The tool membrane. A call ends in exactly one audited outcome: `tool_invalid_args`, `tool_denial`,
 * `budget_exceeded`, `tool_result`, `tool_error` or `tool_timeout`, and that record is written before the guest sees
 * it. Completions of promises are handed over one at a time, when the guest is idle, in the order they came. In a job
 * the intent is in the journal before the effect, and the outcome after it.
 */
import {
  answerFailure,
  answerPromise,
  answerValue,
  completionFailure,
  completionValue,
} from "../membrane/answers.ts";
import { byteLength, type JsonObject, plainCopy } from "../membrane/jsonText.ts";
import { sha256 } from "../membrane/sha256.ts";
import type { Tool } from "../tools/tool.ts";
import { admitCall } from "./admitCall.ts";
import { OpenCalls } from "./openCalls.ts";
import { type Outcome, runTool } from "./runTool.ts";
import { type JournaledCall, refuseClosed, type TurnState } from "./turnState.ts";

export interface ToolCalls {
  /** Null: the call is held, and the guest with it. */
  call(nameText: string, argsText: string, of: { readonly asPromise: boolean }): Promise<string | null>;
  /** The prelude could not make JSON of the arguments. */
  invalid(nameText: string, reasonText: string): void;
  /** Goes on with a promise's call of an earlier tick; `completion` when its outcome is known already. */
  reopen(call: JournaledCall, completion: string | null): void;
  /** The next completion for the guest, waiting for one while any call is open; null when none is. */
  nextCompletion(): Promise<string | null>;
  hasOpen(): boolean;
  /** Waits until every open call has its outcome; each has a time limit of its own. */
  allDone(): Promise<void>;
  /** Ends what is still open, each with its record. */
  end(): void;
}

export function createToolCalls(turn: TurnState): ToolCalls {
  const open = new OpenCalls();
  const start = (tool: Tool, args: JsonObject, call: number) => {
    const abort = open.begin(call, tool.name);
    void runTool(turn, { tool, args, call }, abort).then((settle) => {
      open.finish(call, () => {
        const completion = completionOf(call, settle());
        turn.journal?.result(call, completion);
        return completion;
      });
    });
  };

  return {
    hasOpen: () => open.size > 0,
    allDone: () => open.allDone(),
    nextCompletion: () => open.next(),
    async call(nameText, argsText, { asPromise }) {
      const refused = refuseClosed(turn, "callTool");
      if (refused !== null) return refused;
      const call = turn.calls++;
      const name = JSON.parse(nameText) as string;
      const resolved = resolutionOf(turn, name, call);
      if (resolved !== null) {
        if (!asPromise && turn.grants.tools.get(name)?.mode !== "promise") return answerOf(resolved);
        open.begin(call, name);
        open.finish(call, () => completionOf(call, resolved));
        return answerPromise(call);
      }
      const admitted = await admitCall(turn, { name, argsText, call });
      if ("held" in admitted) {
        turn.calls--;
        return null;
      }
      if ("refused" in admitted) return admitted.refused;
      const { tool, args } = admitted;
      recordCall(turn, { call, tool: tool.name, args: argsText }, args);
      turn.journal?.intent({ call, tool: tool.name, args: argsText }, tool.repeatable);
      if (asPromise || tool.mode === "promise") {
        start(tool, args, call);
        return answerPromise(call);
      }
      return answerOf((await runTool(turn, { tool, args, call }, null))());
    },
    invalid(nameText, reasonText) {
      if (refuseClosed(turn, "callTool") !== null) return;
      turn.log.append("tool_invalid_args", {
        tool: JSON.parse(nameText) as string,
        reason: JSON.parse(reasonText) as string,
        call: turn.calls++,
      });
    },
    reopen(call, completion) {
      const tool = turn.grants.tools.get(call.tool);
      const resolved = resolutionOf(turn, call.tool, call.call);
      const known = completion ?? (resolved === null ? null : completionOf(call.call, resolved));
      if (known !== null || tool === undefined) {
        open.begin(call.call, call.tool);
        open.finish(call.call, () => known ?? completionOf(call.call, goneTool(call.tool)));
        return;
      }
      const args = plainCopy(JSON.parse(call.args)) as JsonObject;
      recordCall(turn, call, args, true);
      start(tool, args, call.call);
    },
    end: () =>
      open.end((call, tool) =>
        turn.log.append("tool_error", { tool, code: "TURN_ENDED", outcome: "unknown", call }),
      ),
  };
}

/** @param parsed the value of its arguments */
function recordCall(
  turn: TurnState,
  { call, tool, args }: JournaledCall,
  parsed: JsonObject,
  resumed?: true,
): void {
  turn.log.append("tool_call", {
    tool,
    policy: "allowed",
    args: parsed,
    arg_bytes: byteLength(args),
    args_sha256: sha256(args),
    call,
    resumed,
  });
}

/** What a person said came of a call; null when nobody did, or said to do it again. */
function resolutionOf(turn: TurnState, tool: string, call: number): Outcome | null {
  const resolution = turn.journal?.resolution(call) ?? null;
  if (resolution === null || resolution === "retry") return null;
  const record = "json" in resolution ? "tool_result" : "tool_error";
  const what =
    "json" in resolution ? { result: JSON.parse(resolution.json) } : { code: resolution.failure.code };
  turn.log.append(record, { tool, call, resolved_by: "operator", ...what });
  return resolution;
}

function goneTool(tool: string): Outcome {
  return { failure: { name: "Error", message: `agent tool denied: ${tool}`, code: "TOOL_DENIED" } };
}

function answerOf(outcome: Outcome): string {
  return "json" in outcome ? answerValue(outcome.json) : answerFailure(outcome.failure);
}

function completionOf(id: number, outcome: Outcome): string {
  return "json" in outcome ? completionValue(id, outcome.json) : completionFailure(id, outcome.failure);
}
