import { evolve } from "../services/domain/task/evolve.ts";
import type { TaskEventBody } from "../services/domain/task/taskEvent.ts";
import {
  absentTask,
  type CarriedTask,
  type ErasedTask,
  type TaskState,
  type Who,
} from "../services/domain/task/taskState.ts";
import type { TaskEvent } from "./taskEvents.ts";

const who: Who = { actor: "user:ada", accountable: null, route: "rest" };
const image = { ref: "cazi/toolbox:latest", repo_digest: null, image_id: "sha256:0f" };
const logs = { stdout: { stored: 6, dropped: 0 }, stderr: { stored: 0, dropped: 2 ** 40 } };
const outcome = {
  exit_code: 0,
  signal: null,
  oom_killed: false,
  finished_at: 1_700_000_009_000,
  message: null,
  logs,
};
const failure = { ...outcome, exit_code: null, signal: 9, oom_killed: true, message: "out of memory" };
const intent = {
  spec: '{"command":["echo","grüß"],"image":"cazi/toolbox:latest"}',
  spec_digest: "sha256:00",
  request_hash: "sha256:11",
  source: "submit",
  who,
  limits: { timeout_ms: 60_000, max_retries: 1, ttl_ms: 86_400_000, start_within_ms: null, sinks: 1 },
  image: null,
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  tracestate: "vendor=1",
};

const submitted: TaskEventBody = { type: "submitted", ...intent, due_at: null };
const scheduled: TaskEventBody = {
  type: "scheduled",
  node: "local",
  fence: "1.a",
  due_at: 1_700_000_030_000,
};
const claimed: TaskEventBody = { type: "claimed", fence: "1.a", due_at: 1_700_000_630_000 };
const running: TaskEventBody = {
  type: "running",
  fence: "1.a",
  image,
  started_at: 1_700_000_003_000,
  due_at: 1_700_000_100_000,
};
const pulling: TaskEventBody = {
  type: "pulling",
  fence: "1.a",
  pull: {
    ref: "alpine:3.20",
    notice: 3,
    tries: 2,
    started_at: 1_700_000_002_000,
    layers_done: 1,
    layers_total: 4,
    bytes_done: 12_000_000,
    bytes_total: 30_000_000,
    last_error: "toomanyrequests: slow down",
    retry_at: 1_700_000_012_000,
    finished_at: null,
  },
  image: null,
};
const artifact = {
  type: "artifact_stored",
  fence: "1.a",
  attempt: 1,
  name: "reports/größe.csv",
  bytes: 2 ** 33,
  sha256: "0f".repeat(32),
  media_type: "text/csv",
  expires_at: 1_700_604_800_000,
  replaced_bytes: null,
} as const satisfies TaskEventBody;
const started = [submitted, scheduled, claimed, running];

/** One legal history for each transition, ending in it; the last event of each is the sample. */
const histories: readonly (readonly TaskEventBody[])[] = [
  [submitted],
  [{ type: "blocked", ...intent, blocked_by: "learning:x", message: "this image has no shell" }],
  [submitted, scheduled],
  [
    submitted,
    scheduled,
    { type: "returned", fence: "1.a", reason: "declined", message: "draining", due_at: null },
  ],
  [submitted, scheduled, claimed],
  [submitted, scheduled, claimed, pulling],
  started,
  [
    ...started,
    {
      type: "retrying",
      fence: "1.a",
      reason: "oom",
      uses_retry: true,
      not_before: 1_700_000_010_000,
      image,
      outcome: failure,
    },
  ],
  [...started, { type: "cancel_requested", who, reason: "no longer needed", due_at: 1_700_000_050_000 }],
  [...started, { type: "succeeded", fence: "1.a", image, outcome }],
  [...started, { type: "failed", fence: "1.a", reason: "oom", image, outcome: failure }],
  [...started, { type: "cancelled", fence: "1.a", who, reason: null, image, outcome: failure }],
  [...started, artifact],
  [
    ...started,
    artifact,
    {
      type: "artifact_removed",
      artifact_id: "e5",
      name: artifact.name,
      bytes: artifact.bytes,
      reason: "expired",
    },
  ],
  [
    ...started,
    { type: "succeeded", fence: "1.a", image, outcome },
    { type: "sink_delivered", sink: "webhook-1", receipt: "200" },
  ],
  [
    ...started,
    { type: "succeeded", fence: "1.a", image, outcome },
    { type: "sink_failed", sink: "webhook-1", tries: 8, message: "timed out" },
  ],
  [...started, { type: "succeeded", fence: "1.a", image, outcome }, { type: "erased" }],
];

/** One event of every transition, each after a legal history: for golden bytes and round trips. */
export function sampleEvents(): readonly TaskEvent[] {
  return histories.map((history) => {
    const at = 1_700_000_000_000 + history.length * 1_000;
    const state = history.reduce<TaskState>(
      (before, body, index) => evolve(before, body, 1_700_000_000_000 + (index + 1) * 1_000),
      absentTask,
    );
    const { traceparent } = intent;
    const body = history.at(-1)!;
    return {
      id: `event-${history.length}-${body.type}`,
      at,
      tenant: "default",
      task: "01hf000000000000000000000a",
      traceparent,
      by: who,
      body,
      state: state as CarriedTask | ErasedTask,
    };
  });
}
