/**
 * The id that a person approves. It follows from what would happen and where: the run, the program, the policy, the
 * position of the call, the tool and its arguments in canonical form. Nothing in it is random, so a run that is
 * repeated after the decision asks for the same id; and anything that differs is another id.
 */
import { createHash } from "node:crypto";
import { canonicalText } from "../membrane/canonicalText.ts";
import type { JsonObject } from "../membrane/jsonText.ts";

export function approvalId(call: {
  readonly runId: string;
  readonly agentSha256: string;
  readonly policySha256: string | null;
  readonly callIndex: number;
  readonly tool: string;
  readonly args: JsonObject;
}): string {
  const hash = createHash("sha256").update("cazi-approval-v1\n");
  const parts = [
    call.runId,
    call.agentSha256,
    call.policySha256 ?? "none",
    String(call.callIndex),
    call.tool,
    canonicalText(call.args),
  ];
  // Length-prefixed, so that no two lists of parts have the same bytes.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return `appr-${hash.digest("hex")}`;
}
