import { isUtf8 } from "node:buffer";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import type { EndedTask } from "../../domain/task/taskState.ts";
import { canonicalJson } from "../../kernel/canonicalJson.ts";
import { inlineBytesMax } from "../limits.ts";
import type { OutputDigest } from "./taskOutput.ts";

export interface SummaryOf {
  readonly tenant: string;
  readonly task: string;
  readonly sink: string;
  readonly state: EndedTask;
  readonly name: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Standard output; null where the task's end counted none, so that nobody can tell what belongs to it. */
  readonly output: OutputDigest | null;
  readonly includeOutput: boolean;
}

/**
 * What a webhook gets, as the very bytes that are signed. Frozen: it follows from the ledger and from what LOGS has when
 * it has all, so every try of every process sends the same. So it holds no time of its own, no address that a setting
 * says, and nothing that may change after the end of the task.
 */
export function summaryBytes(of: SummaryOf): Buffer {
  const { state, task } = of;
  const summary = {
    type: `task.${state.status}`,
    timestamp: toTimestamp(state.finished_at),
    data: {
      sink: of.sink,
      task: {
        id: task,
        tenant: of.tenant,
        status: state.status,
        name: of.name,
        labels: of.labels,
        source: state.source,
        who: state.who,
        attempt: state.attempt,
        node: state.node,
        image: state.image,
        exit_code: state.exit_code,
        signal: state.signal,
        oom_killed: state.oom_killed,
        reason: state.reason,
        message: state.message,
        submitted_at: toTimestamp(state.submitted_at),
        started_at: toTimestampOrNull(state.started_at),
        finished_at: toTimestamp(state.finished_at),
        traceparent: state.traceparent,
        path: `/v1/tasks/${task}`,
      },
      output: of.output === null ? null : outputOf(of, of.output),
    },
  };
  // What came out of an event are objects of the codec's own classes.
  return Buffer.from(canonicalJson(JSON.parse(JSON.stringify(summary))));
}

function outputOf({ task, state, includeOutput }: SummaryOf, { bytes, sha256, head }: OutputDigest) {
  const isInline = includeOutput && bytes <= inlineBytesMax;
  const inline = !isInline
    ? { text: null, base64: null }
    : isUtf8(head)
      ? { text: head.toString("utf8"), base64: null }
      : { text: null, base64: head.toString("base64") };
  return {
    bytes,
    dropped_bytes: state.logs?.stdout.dropped ?? 0,
    sha256,
    ...inline,
    path: `/v1/tasks/${task}/output/raw`,
  };
}
