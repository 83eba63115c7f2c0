import type { Image, LogCounts, Pull, TaskLimits, TraceContext, Who } from "./taskState.ts";

/** What became of one attempt. */
export interface Outcome {
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly oom_killed: boolean;
  readonly finished_at: number;
  readonly message: string | null;
  readonly logs: LogCounts | null;
}

/** A file that an attempt published. The id of the event that stored it is the name of its bytes in the store. */
export interface StoredArtifact {
  readonly attempt: number;
  /** A relative path, unique within the task. */
  readonly name: string;
  readonly bytes: number;
  /** Of its bytes, hex. */
  readonly sha256: string;
  readonly media_type: string;
  readonly expires_at: number;
  /** Size of an earlier attempt's file of this name, which it takes the place of. */
  readonly replaced_bytes: number | null;
}

interface Intent extends TraceContext {
  /** Canonical JSON (RFC 8785) of the WorkloadSpec. */
  readonly spec: string;
  readonly spec_digest: string;
  readonly request_hash: string | null;
  readonly source: string;
  readonly who: Who;
  readonly limits: TaskLimits;
  /** Set when only this image may run: a replay. */
  readonly image: Image | null;
}

/** What happened, without the envelope that says where and when. Names are those of the transitions. */
export type TaskEventBody =
  | ({ readonly type: "submitted"; readonly due_at: number | null } & Intent)
  | ({ readonly type: "blocked"; readonly blocked_by: string; readonly message: string } & Intent)
  | { readonly type: "scheduled"; readonly node: string; readonly fence: string; readonly due_at: number }
  | {
      readonly type: "returned";
      readonly fence: string;
      readonly reason: "declined" | "offer_expired";
      readonly message: string | null;
      readonly due_at: number | null;
    }
  | { readonly type: "claimed"; readonly fence: string; readonly due_at: number }
  | {
      readonly type: "pulling";
      readonly fence: string;
      readonly pull: Pull;
      /** Set once it is there. */
      readonly image: Image | null;
    }
  | {
      readonly type: "running";
      readonly fence: string;
      readonly image: Image | null;
      readonly started_at: number;
      readonly due_at: number;
    }
  | {
      readonly type: "retrying";
      readonly fence: string;
      readonly reason: string;
      readonly uses_retry: boolean;
      readonly not_before: number;
      readonly image: Image | null;
      readonly outcome: Outcome;
    }
  | {
      readonly type: "cancel_requested";
      readonly who: Who;
      readonly reason: string | null;
      readonly due_at: number;
    }
  | {
      readonly type: "succeeded";
      readonly fence: string;
      readonly image: Image | null;
      readonly outcome: Outcome;
    }
  | {
      readonly type: "failed";
      readonly fence: string | null;
      readonly reason: string;
      readonly image: Image | null;
      readonly outcome: Outcome;
    }
  | {
      readonly type: "cancelled";
      readonly fence: string | null;
      readonly who: Who;
      readonly reason: string | null;
      readonly image: Image | null;
      readonly outcome: Outcome;
    }
  | ({ readonly type: "artifact_stored"; readonly fence: string } & StoredArtifact)
  | {
      readonly type: "artifact_removed";
      /** Id of the event that stored it. */
      readonly artifact_id: string;
      readonly name: string;
      readonly bytes: number;
      /** `expired` is the only one yet. */
      readonly reason: string;
    }
  | { readonly type: "sink_delivered"; readonly sink: string; readonly receipt: string | null }
  | { readonly type: "sink_failed"; readonly sink: string; readonly tries: number; readonly message: string }
  | { readonly type: "erased" };

export type TaskEventType = TaskEventBody["type"];

/** Every transition, in the order of a task's life. */
export const taskEventTypes = [
  "submitted",
  "blocked",
  "scheduled",
  "returned",
  "claimed",
  "pulling",
  "running",
  "retrying",
  "cancel_requested",
  "succeeded",
  "failed",
  "cancelled",
  "artifact_stored",
  "artifact_removed",
  "sink_delivered",
  "sink_failed",
  "erased",
] as const satisfies readonly TaskEventType[];

/** The transitions after which a task is over. INV-ONE-END: a task has exactly one of them, ever. */
export const terminalEventTypes = [
  "blocked",
  "succeeded",
  "failed",
  "cancelled",
] as const satisfies readonly TaskEventType[];
