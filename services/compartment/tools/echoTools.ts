/** The tools that touch nothing: for trying a policy, a budget or a failure. */
import { setTimeout as wait } from "node:timers/promises";
import type { JsonValue } from "../membrane/jsonText.ts";
import { checkMembers, type Tool, ToolFailure } from "./tool.ts";

export const echo: Tool = {
  name: "echo",
  mode: "sync",
  repeatable: true,
  check: () => null,
  admit: () => null,
  run: ({ args }) => args,
};

export const fail: Tool = {
  name: "fail",
  mode: "sync",
  repeatable: true,
  check: () => null,
  admit: () => null,
  run: () => {
    throw new ToolFailure("TOOL_FAILED", "this tool always fails");
  },
};

/** Without `delay_ms` it takes twice the time that a tool may take, so that it times out. */
export function slow(toolTimeoutMs: number): Tool {
  return {
    name: "slow",
    mode: "promise",
    repeatable: true,
    check: (args) =>
      checkMembers(args, { delay_ms: "number?", value: "any?" }) ??
      (args.delay_ms === undefined || isDelay(args.delay_ms)
        ? null
        : "delay_ms must be whole milliseconds up to a day."),
    admit: () => null,
    async run({ args, signal }) {
      const delayMs = (args.delay_ms as number | undefined) ?? toolTimeoutMs * 2;
      await wait(delayMs, undefined, { signal });
      return { ok: true, tool: "slow", delay_ms: delayMs, value: args.value ?? null };
    },
  };
}

function isDelay(value: JsonValue): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 86_400_000;
}
