import type { OutputSink } from "../domain/spec/outputSinks.ts";
import type { EndedTask } from "../domain/task/taskState.ts";

/** A sink of a task that is over: all that a try of it needs to know. */
export interface SinkOfTask {
  readonly tenant: string;
  readonly task: string;
  readonly id: string;
  readonly sink: OutputSink;
  readonly state: EndedTask;
  readonly name: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Connections that the task itself used: their values are masked in its output. */
  readonly connections: readonly string[];
}

/**
 * The id of a delivery, the same in every try for ever: by it a receiver knows what it has already. No dot, as Standard
 * Webhooks asks.
 */
export function deliveryId(of: Pick<SinkOfTask, "task" | "id">): string {
  return `${of.task}_${of.id}`;
}

/** Values of the placeholders in a name. */
export function templateValues(of: SinkOfTask) {
  const { tenant, task, id, state, sink } = of;
  return {
    tenant,
    task,
    status: state.status,
    attempt: String(state.attempt),
    date: new Date(state.finished_at).toISOString().slice(0, 10),
    sink: id,
    content: "content" in sink ? sink.content : "summary",
  };
}

/** The part of the machine that a try needs, so that a target that is down holds up nobody else's. */
export function targetOf({ sink }: Pick<SinkOfTask, "sink">): string {
  switch (sink.type) {
    case "webhook":
      return new URL(sink.url).host;
    case "s3":
      return s3Endpoint(sink).host;
    default:
      return sink.type;
  }
}

/** Where the bucket is. */
export function s3Endpoint(sink: Extract<OutputSink, { type: "s3" }>): URL {
  return new URL(sink.endpoint ?? `https://s3.${sink.region}.amazonaws.com`);
}
