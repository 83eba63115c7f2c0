import type { TaskEventBody } from "../task/taskEvent.ts";

/** What became of a sink, as the ledger tells it. */
export interface SinkResult {
  readonly sink: string;
  readonly delivered: boolean;
  /** Set where it failed. */
  readonly tries: number | null;
  readonly message: string | null;
  readonly receipt: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The receipt of a sink that is not for this end of the task: it is settled, and nothing went out. */
export const notDue = "not due";

/** The newest result of each sink: one that had failed may have been sent again. */
export function sinkResults(
  events: readonly { readonly at: number; readonly body: TaskEventBody }[],
): ReadonlyMap<string, SinkResult> {
  const results = new Map<string, SinkResult>();
  for (const { at, body } of events) {
    if (body.type === "sink_delivered") {
      const { sink, receipt } = body;
      results.set(sink, { sink, delivered: true, tries: null, message: null, receipt, at });
    } else if (body.type === "sink_failed") {
      const { sink, tries, message } = body;
      results.set(sink, { sink, delivered: false, tries, message, receipt: null, at });
    }
  }
  return results;
}
