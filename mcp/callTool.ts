/** One call of a tool, by any protocol: checks the input, runs it, and turns a failure into an answer. */
import type { z } from "zod";
import { pointerTo } from "../services/domain/spec/jsonPointer.ts";
import { nearestName } from "../services/domain/spec/nearestName.ts";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import { CaziError, Rejection } from "../services/kernel/errors.ts";
import type { ToolCall, ToolDefinition } from "./toolDefinition.ts";

/** What went wrong and what to do next; `code` is the API's. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly next_step: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  readonly [fact: string]: unknown;
}

export type ToolResult = { readonly value: object } | { readonly failure: ToolFailure };

/**
 * @param connect finds the server anew for each call, so that one that restarted is found
 * @param input what the caller sent
 * @throws only for a bug
 */
export async function callTool(
  tool: ToolDefinition,
  of: { readonly connect: () => ApiClient; readonly input: unknown; readonly call: ToolCall },
): Promise<ToolResult> {
  try {
    return { value: await tool.handler(of.connect(), checked(tool, of.input), of.call) };
  } catch (error) {
    if (error instanceof CaziError) return { failure: toolFailure(error) };
    throw error;
  }
}

/** @throws Rejection `REQUEST_INVALID`, as the API does */
function checked(tool: ToolDefinition, input: unknown): unknown {
  const read = tool.inputSchema.safeParse(input ?? {});
  if (read.success) return read.data;
  const known = Object.keys(tool.inputSchema.shape);
  const details = read.error.issues.flatMap((issue) => issueDetails(issue, known));
  throw new Rejection("REQUEST_INVALID", `The arguments of ${tool.name} are not valid.`, {
    hint: "Correct what is listed and call again.",
    details,
  });
}

function issueDetails(issue: z.core.$ZodIssue, known: readonly string[]) {
  if (issue.code !== "unrecognized_keys") return [{ pointer: pointerTo(issue.path), message: issue.message }];
  return issue.keys.map((key) => {
    const nearest = nearestName(key, known);
    const advice = nearest === null ? `known are ${known.join(", ") || "none"}` : `did you mean ${nearest}?`;
    return { pointer: pointerTo([...issue.path, key]), message: `is not an argument; ${advice}` };
  });
}

/** The failure as the caller sees it. Pure. */
export function toolFailure(error: CaziError): ToolFailure {
  const { refused: _, ...facts } = error.fields;
  return {
    ...facts,
    code: error.code,
    message: error.message,
    next_step: error.hint ?? defaultStep(error),
    ...(error.details.length === 0 ? {} : { errors: error.details }),
  };
}

function defaultStep(error: CaziError): string {
  if (error.family === "retryable") return "Wait a few seconds, then call again with the same arguments.";
  if (error.details.length > 0) return "Correct what is listed and call again.";
  if (error.code === "NOT_RUNNING") return "Ask the person you work for to start Cazi, then call again.";
  if (error.code === "TASK_NOT_FOUND") return "Check the id; list_tasks shows the tasks there are.";
  if (error.code === "TASK_ENDED") return "Nothing is left to do; get_task shows how it ended.";
  return "Do not repeat the call unchanged.";
}
