/** One call of a tool, by any protocol: checks the input, runs it, and turns a failure into an answer. */
import type { z } from "zod";
import { pointerTo, valueAt } from "../services/domain/spec/jsonPointer.ts";
import { nearestName } from "../services/domain/spec/nearestName.ts";
import { plainSentence } from "../services/domain/spec/plainSentence.ts";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import { CaziError, Rejection } from "../services/kernel/errors.ts";
import { inOwnWords } from "./apiWords.ts";
import type { Call } from "./call.ts";
import { type Failure, failureOf } from "./failure.ts";
import type { ToolDefinition } from "./toolDefinition.ts";

export type ToolResult = { readonly value: object } | { readonly failure: Failure };

interface ToolInput {
  /** Finds the server anew for each call, so that one that restarted is found. */
  readonly connect: () => ApiClient;
  /** What the caller sent. */
  readonly input: unknown;
  readonly call: Call;
}

/** @throws only for a bug, and when the caller gave up */
export async function callTool(tool: ToolDefinition, of: ToolInput): Promise<ToolResult> {
  try {
    return { value: await runTool(tool, of) };
  } catch (error) {
    if (error instanceof CaziError) return { failure: failureOf(error) };
    throw error;
  }
}

/** @throws Rejection `REQUEST_INVALID`, and what the API answers */
export async function runTool(tool: ToolDefinition, of: ToolInput): Promise<object> {
  const input = checked(tool, of.input);
  return inOwnWords(tool.apiWords ?? {}, async () => tool.handler(of.connect(), input, of.call));
}

/** @throws Rejection `REQUEST_INVALID`, in the words in which the API says it */
function checked(tool: ToolDefinition, given: unknown): unknown {
  const input = given ?? {};
  const read = tool.inputSchema.safeParse(input);
  if (read.success) return read.data;
  const known = Object.keys(tool.inputSchema.shape);
  const details = read.error.issues.flatMap((issue) => issueDetails(issue, input, known));
  throw new Rejection("REQUEST_INVALID", `The arguments of ${tool.name} are not valid.`, {
    hint: "Correct what is listed and call again.",
    details,
    fields: { status: 400 },
  });
}

function issueDetails(issue: z.core.$ZodIssue, input: unknown, known: readonly string[]) {
  if (issue.code !== "unrecognized_keys") {
    return [{ pointer: pointerTo(issue.path), message: plainSentence(issue, valueAt(input, issue.path)) }];
  }
  return issue.keys.map((key) => {
    const nearest = nearestName(key, known);
    const advice = nearest === null ? `known are ${known.join(", ") || "none"}` : `did you mean ${nearest}?`;
    return { pointer: pointerTo([...issue.path, key]), message: `is not an argument; ${advice}` };
  });
}
