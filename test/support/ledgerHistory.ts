/** Events as the ledger would hold them, made by `evolve`, so that every history is a legal one. */
import { encodeTaskEvent, type TaskEvent } from "../../schemas/taskEvents.ts";
import { evolve } from "../../services/domain/task/evolve.ts";
import type { Outcome, StoredArtifact, TaskEventBody } from "../../services/domain/task/taskEvent.ts";
import {
  absentTask,
  type CarriedTask,
  type ErasedTask,
  type Pull,
  type TaskState,
} from "../../services/domain/task/taskState.ts";
import type { StoredEvent } from "../../services/kernel/ledger/storedEvent.ts";
import { subjects } from "../../streams/subjects.ts";

export const historyStartMs = 1_700_000_000_000;
export const sampleWho = { actor: "user:ada", accountable: null, route: "rest" } as const;
export const sampleImage = { ref: "cazi/toolbox:latest", repo_digest: null, image_id: "sha256:0f" } as const;

export interface LedgerHistory {
  /** Everything appended so far, sequences from 1. */
  readonly events: readonly StoredEvent[];
  /** Appends to a task's history. @throws IllegalTransition */
  append(task: string, ...bodies: readonly TaskEventBody[]): LedgerHistory;
  /** Appends an event whose state does not follow from what is there: what a broken writer would do. */
  force(task: string, body: TaskEventBody, state: CarriedTask | ErasedTask, id?: string): LedgerHistory;
}

/** An empty history; tasks are of `tenant` unless named `tenant/task`. */
export function ledgerHistory(tenant = "default"): LedgerHistory {
  const events: StoredEvent[] = [];
  const states = new Map<string, TaskState>();
  const push = (key: string, body: TaskEventBody, state: CarriedTask | ErasedTask, id?: string) => {
    const [owner, task] = key.includes("/") ? (key.split("/") as [string, string]) : [tenant, key];
    const seq = events.length + 1;
    const event: TaskEvent = {
      id: id ?? `e${seq}`,
      at: historyStartMs + seq * 1_000,
      tenant: owner,
      task,
      traceparent: state.status === "erased" ? null : state.traceparent,
      by: null,
      body,
      state,
    };
    const subject = subjects.ledger({ tenant: owner, kind: "task", id: task });
    events.push({ seq, subject, bytes: encodeTaskEvent(event), event });
    states.set(key, state);
  };
  const history: LedgerHistory = {
    events,
    append: (task, ...bodies) => {
      for (const body of bodies) {
        const at = historyStartMs + (events.length + 1) * 1_000;
        push(task, body, evolve(states.get(task) ?? absentTask, body, at) as CarriedTask | ErasedTask);
      }
      return history;
    },
    force: (task, body, state, id) => {
      push(task, body, state, id);
      return history;
    },
  };
  return history;
}

type Intent = Extract<TaskEventBody, { type: "submitted" }>;

export const bodies = {
  submitted: (spec: object = {}, more: Partial<Intent> = {}): Intent => ({
    type: "submitted",
    spec: JSON.stringify({ command: ["echo", "hi"], image: "cazi/toolbox:latest", ...spec }),
    spec_digest: "sha256:00",
    request_hash: "sha256:11",
    source: "submit",
    who: sampleWho,
    limits: { timeout_ms: 60_000, max_retries: 2, ttl_ms: null, start_within_ms: null, sinks: 0 },
    image: null,
    traceparent: null,
    tracestate: null,
    due_at: null,
    ...more,
  }),
  scheduled: (fence: string, node = "local"): TaskEventBody => ({
    type: "scheduled",
    node,
    fence,
    due_at: historyStartMs,
  }),
  returned: (fence: string): TaskEventBody => ({
    type: "returned",
    fence,
    reason: "declined",
    message: "draining",
    due_at: null,
  }),
  claimed: (fence: string): TaskEventBody => ({ type: "claimed", fence, due_at: historyStartMs }),
  pulling: (fence: string, more: Partial<Pull> = {}): TaskEventBody => ({
    type: "pulling",
    fence,
    pull: {
      ref: "alpine:3.20",
      notice: 2,
      tries: 2,
      started_at: historyStartMs + 100,
      layers_done: 1,
      layers_total: 4,
      bytes_done: 12_000_000,
      bytes_total: 30_000_000,
      last_error: "toomanyrequests: slow down",
      retry_at: null,
      finished_at: null,
      ...more,
    },
    image: null,
  }),
  running: (fence: string): TaskEventBody => ({
    type: "running",
    fence,
    image: sampleImage,
    started_at: historyStartMs + 500,
    due_at: historyStartMs,
  }),
  retrying: (fence: string, more: Partial<Outcome> = {}): TaskEventBody => ({
    type: "retrying",
    fence,
    reason: "exit",
    uses_retry: true,
    not_before: historyStartMs,
    image: null,
    outcome: outcome({ exit_code: 1, ...more }),
  }),
  succeeded: (fence: string, more: Partial<Outcome> = {}): TaskEventBody => ({
    type: "succeeded",
    fence,
    image: null,
    outcome: outcome(more),
  }),
  failed: (fence: string, more: Partial<Outcome> = {}): TaskEventBody => ({
    type: "failed",
    fence,
    reason: "exit",
    image: null,
    outcome: outcome({ exit_code: 7, ...more }),
  }),
  sinkDelivered: (): TaskEventBody => ({ type: "sink_delivered", sink: "webhook-1", receipt: "200" }),
  artifactStored: (fence: string, name: string, more: Partial<StoredArtifact> = {}): TaskEventBody => ({
    type: "artifact_stored",
    fence,
    attempt: Number(fence.split(".")[0]),
    name,
    bytes: 3,
    sha256: "0f".repeat(32),
    media_type: "text/plain",
    expires_at: historyStartMs + 604_800_000,
    replaced_bytes: null,
    ...more,
  }),
  erased: (): TaskEventBody => ({ type: "erased" }),
} as const;

function outcome(more: Partial<Outcome>): Outcome {
  return {
    exit_code: 0,
    signal: null,
    oom_killed: false,
    finished_at: historyStartMs + 900,
    message: null,
    logs: { stdout: { stored: 3, dropped: 0 }, stderr: { stored: 0, dropped: 2 ** 40 } },
    ...more,
  };
}

/** A whole successful life: five events. */
export function lifeOf(fence: string): readonly TaskEventBody[] {
  return [
    bodies.submitted(),
    bodies.scheduled(fence),
    bodies.claimed(fence),
    bodies.running(fence),
    bodies.succeeded(fence),
  ];
}
