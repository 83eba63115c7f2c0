import type { GrantReply } from "../../../schemas/messages/node.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { AgentContext } from "../attempt/agentContext.ts";
import type { AttemptRecord } from "../attempt/attemptRecord.ts";
import { NeverStarts, type StartWindow } from "../attempt/startWindow.ts";
import type { ExecutionSpec } from "../executionSpec.ts";
import { fetchStdin } from "./fetchStdin.ts";

type Yes = Extract<GrantReply, { answer: "yes" }>;

/**
 * Brings the output of the task before to this node, where the spec asks for it, before anything is made.
 * @throws NeverStarts where it cannot be had, or not within the time granted; Abandoned when the agent stops
 */
export async function bringStdin(
  context: AgentContext,
  attempt: AttemptRecord,
  of: { readonly yes: Yes; readonly spec: ExecutionSpec; readonly window: StartWindow },
): Promise<void> {
  const { yes, spec, window } = of;
  const { stdin } = context;
  // Without a place for it the runtime says why it refuses; the no-op reads nothing.
  if (!spec.stdin_from_prev || stdin === null) return;
  const { stdin_url: url, workload_token: token } = yes;
  if (url === null || token === null)
    throw refused(
      "the control plane offers no place to fetch /pipe/stdin at: set CAZI_ARTIFACT_LISTEN there, or say stdin_from_prev: false",
    );
  const given = new AbortController();
  void window.closed().then(() => given.abort());
  try {
    const { dropped } = await window.within(() =>
      stdin.place(attempt.ref, (path) => fetchStdin({ url, token }, path, given.signal)),
    );
    if (dropped > 0)
      attempt.notes.push(
        `its /pipe/stdin lacks ${dropped} bytes that the task before printed beyond its cap`,
      );
  } catch (error) {
    if (error instanceof Rejection) throw refused(error.message);
    throw error;
  }
}

function refused(message: string): NeverStarts {
  return new NeverStarts("runtime_refused", message, { final: true, retryAfterMs: null });
}
