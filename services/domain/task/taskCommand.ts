import type { Report } from "../../../schemas/messages/node.ts";
import type { HostedArtifact } from "./artifacts.ts";
import type { StoredArtifact } from "./taskEvent.ts";
import type { Image, TaskLimits, TraceContext, Who } from "./taskState.ts";

/** The control plane's own limits, in milliseconds. */
export interface TaskPolicy {
  readonly claimLimitMs: number;
  readonly startLimitMs: number;
  readonly stopGraceMs: number;
  /** Beyond a node's own limit, before the control plane acts on it. */
  readonly dueMarginMs: number;
}

/** An intent about one task. `at` is the writer's time; `id` is unique to this decision and names its event. */
export type TaskCommand = {
  readonly at: number;
  readonly id: string;
  /** Who decides it; recorded with each event that follows. */
  readonly by?: Who | null;
} & (
  | ({
      readonly kind: "submit";
      readonly spec: string;
      readonly spec_digest: string;
      readonly request_hash: string | null;
      readonly source: string;
      readonly who: Who;
      readonly limits: TaskLimits;
      readonly image: Image | null;
      /** Set when a learning forbids it. */
      readonly blocked: { readonly by: string; readonly message: string } | null;
    } & TraceContext)
  | { readonly kind: "schedule"; readonly node: string }
  | { readonly kind: "decline"; readonly node: string; readonly fence: string; readonly message: string }
  | { readonly kind: "grant"; readonly node: string; readonly fence: string; readonly attempt: number }
  | {
      readonly kind: "report";
      readonly report: Report;
      /** From 0 up to 1, chosen by the caller: spreads retries that would otherwise meet. */
      readonly jitter: number;
    }
  /** The attempt's node is lost. */
  | { readonly kind: "lose"; readonly fence: string; readonly jitter: number }
  /** `due_at` has passed; `nodeLost` is what is known of the attempt's node now. */
  | { readonly kind: "due"; readonly nodeLost: boolean; readonly jitter: number }
  | { readonly kind: "cancel"; readonly who: Who; readonly reason: string | null }
  | {
      readonly kind: "store_artifact";
      readonly fence: string;
      readonly attempt: number;
      readonly artifact: Omit<StoredArtifact, "attempt" | "replaced_bytes">;
      /** What the task hosts under this name. */
      readonly hosted: HostedArtifact | null;
      /** Files that this attempt has stored so far, removed ones counted too. */
      readonly storedByAttempt: number;
      readonly limits: { readonly files: number; readonly bytes: number };
    }
  | {
      readonly kind: "remove_artifact";
      readonly artifact: HostedArtifact;
      readonly reason: "expired";
    }
  | {
      readonly kind: "sink_delivered";
      readonly sink: string;
      readonly receipt: string | null;
      /** It had failed, and was sent again. Whoever decides it sees to it that it is told once. */
      readonly resent?: true;
    }
  | { readonly kind: "sink_failed"; readonly sink: string; readonly tries: number; readonly message: string }
  | {
      readonly kind: "erase";
      /** Somebody asked for it: what has not gone to its sinks yet never will. Else those are waited for. */
      readonly giveUpSinks?: true;
    }
);
