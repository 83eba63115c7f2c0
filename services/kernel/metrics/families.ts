/**
 * Every metric, once, as data: the registry, its types and docs/metrics.md are made from here. Units are base
 * units. No label ever holds a tenant, a task, an image or any other text of a user: the number of series stays
 * bounded, and whoever may read the figures learns nothing of whose tasks they are.
 */
import { taskEventTypes } from "../../domain/task/taskEvent.ts";

export interface Family {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly section: Section;
  readonly help: string;
  /** Each label's values: all of them, or what they are. A counter with all values listed begins at 0. */
  readonly labels: Readonly<Record<string, readonly string[] | string>>;
  /** Upper bounds, of a histogram. */
  readonly buckets?: readonly number[];
}

export const sections = {
  tasks: "Tasks. From the process's own fold of the ledger.",
  ledger: "Ledger. Counts are of what this process wrote.",
  behind: "Who is behind the ledger.",
  queues: "Streams, queues and dead letters.",
  storage: "Room.",
  nodes: "Nodes, as this process hears them.",
  api: "The API.",
  process: "This process.",
} as const;
export type Section = keyof typeof sections;

const statuses = ["pending", "scheduled", "claimed", "running"] as const;
const role = "name of a role";
const node = "name of a node";
const stream = "name of a stream";
/** From a local append (0.2 ms) to the budget of an append whose outcome is unknown (15 s). */
const appendBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 15];
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const gauge = <const L extends Family["labels"]>(section: Section, help: string, labels: L = {} as L) =>
  ({ kind: "gauge", section, help, labels }) as const;
const counter = <const L extends Family["labels"]>(section: Section, help: string, labels: L = {} as L) =>
  ({ kind: "counter", section, help, labels }) as const;

export const families = {
  cazi_tasks: gauge("tasks", "Tasks that are not over, by state.", { status: statuses }),
  cazi_tasks_oldest_seconds: gauge("tasks", "Longest time that a task has been in the state.", {
    status: statuses,
  }),
  cazi_queue_age_seconds: gauge(
    "tasks",
    "Time that the longest-waiting pending task has waited for a node; 0 when none waits.",
  ),
  cazi_tasks_overdue: gauge(
    "tasks",
    "Tasks past the time at which something had to happen to them, and nothing has.",
  ),
  cazi_tasks_overdue_oldest_seconds: gauge("tasks", "How far past it the most overdue task is."),
  cazi_attempts_ended_total: counter("tasks", "Attempts that ended, by how.", {
    outcome: "`succeeded`, `cancelled`, `declined`, `offer_expired`, or the reason of the failure",
  }),
  cazi_image_pulls: gauge("tasks", "Image pulls that go on; `waiting`: it failed and is tried again.", {
    state: ["running", "waiting"],
  }),
  cazi_image_pull_failures_total: counter("tasks", "Attempts that ended because an image could not be had.", {
    reason: ["image_pull", "image_unavailable"],
  }),

  cazi_ledger_appends_total: counter("ledger", "Events appended.", { event: taskEventTypes }),
  cazi_ledger_append_seconds: {
    kind: "histogram",
    section: "ledger",
    help: "Time of one append, with the retries of an unknown outcome.",
    labels: {},
    buckets: appendBuckets,
  },
  cazi_ledger_conflicts_total: counter("ledger", "Appends that lost to somebody else's; decided again."),
  cazi_ledger_unknown_outcomes_total: counter(
    "ledger",
    "Appends that got no clear answer; the subject was read to find out.",
  ),
  cazi_ledger_vanished_total: counter(
    "ledger",
    "Appends on a cluster that one leader acknowledged and the next does not have; decided again.",
  ),
  cazi_ledger_append_failures_total: counter("ledger", "Appends given up: not stored, or not known to be."),
  cazi_ledger_last_sequence: gauge("ledger", "Sequence of the newest event."),
  cazi_ledger_regressed: gauge("ledger", "1: the ledger has lost events, and nothing is written to it."),
  cazi_ledger_writable: gauge(
    "ledger",
    "1: the ledger was checked on this connection and may be written to.",
  ),

  cazi_fold_lag_events: gauge("behind", "Events in the ledger that this process has not folded yet."),
  cazi_projector_lag_events: gauge("behind", "Events in the ledger that Postgres does not hold yet."),
  cazi_projector_silence_seconds: gauge("behind", "Time since a projector last announced itself."),
  cazi_relay_lag_events: gauge("behind", "Events in the ledger that the feed does not hold yet."),
  cazi_erasures_waiting: gauge(
    "behind",
    "Erased tasks of which something is left, until every reader has passed their tombstones; from the reactor.",
  ),
  cazi_erasure_held_up_seconds: gauge(
    "behind",
    "Time that a reader of the ledger has held up erasure; `cazi doctor` names it. 0 while none does.",
  ),
  cazi_lease_held: gauge("behind", "1: this process acts in the role. Their sum over processes must be 1.", {
    role,
  }),
  cazi_role_troubled: gauge("behind", "1: the role cannot do its work; `/readyz` says why.", { role }),

  cazi_sinks_open: gauge("queues", "Ended tasks with sinks that have neither the output nor failed."),
  cazi_sink_tries_total: counter(
    "queues",
    "Tries of sinks, by what came of them; `held`: by a limit of the tenant's.",
    {
      type: ["webhook", "s3", "file", "task"],
      outcome: ["delivered", "failed", "held"],
    },
  ),
  cazi_dead_letters: gauge("queues", "Messages that could never be handled, kept for a person to look at."),
  cazi_stream_messages: gauge("queues", "Messages in the stream.", { stream }),
  cazi_consumer_pending: gauge("queues", "Messages that nobody has fetched yet.", { stream }),
  cazi_consumer_ack_pending: gauge("queues", "Messages fetched and not acknowledged yet.", { stream }),
  cazi_consumer_redelivered: gauge("queues", "Messages delivered more than once and not acknowledged yet.", {
    stream,
  }),

  cazi_stream_bytes: gauge("storage", "Bytes that the stream takes.", { stream }),
  cazi_stream_limit_bytes: gauge("storage", "Bytes that the stream may take.", { stream }),
  cazi_stream_used_ratio: gauge(
    "storage",
    "Share of that in use; at 0.85 submits are refused, but for streams of objects (`OBJ_…`).",
    { stream },
  ),
  cazi_artifacts_stored_total: counter("storage", "Files of containers that this process took and stored."),
  cazi_artifacts_stored_bytes_total: counter("storage", "Bytes of these files."),
  cazi_artifact_refusals_total: counter("storage", "Files of containers that this process did not store.", {
    code: "code of the problem that was answered, such as `ARTIFACT_TOO_LARGE` or `QUOTA_EXCEEDED`; `INTERNAL` for a fault",
  }),
  cazi_artifacts_hosted: gauge(
    "storage",
    "Files in the store of artifacts at the last look, up to a minute ago, and those taken since; from control planes. What the bucket takes and may take: `cazi_stream_bytes` and `cazi_stream_limit_bytes` of `OBJ_artifacts`.",
  ),
  cazi_artifacts_hosted_bytes: gauge("storage", "Bytes of these files."),
  cazi_disk_free_bytes: gauge("storage", "Free bytes of the disk under the home."),
  cazi_disk_used_ratio: gauge("storage", "Share of that disk in use."),

  cazi_node_online: gauge("nodes", "1: heard of within the limit.", { node }),
  cazi_node_available: gauge("nodes", "1: online, and its engine answers.", { node }),
  cazi_node_silence_seconds: gauge("nodes", "Time since the node's last beat.", { node }),
  cazi_node_slots: gauge("nodes", "Attempts that the node runs at once.", { node }),
  cazi_node_slots_used: gauge("nodes", "Attempts on the node.", { node }),
  cazi_node_slots_free: gauge("nodes", "Slots that can take an attempt now; 0 where it is unavailable.", {
    node,
  }),

  cazi_http_request_seconds: {
    kind: "histogram",
    section: "api",
    help: "Time to the end of an answer, by route template. A stream counts with its first byte, a request that waits with its wait.",
    labels: {
      method: "HTTP method",
      route: "route template, such as `/v1/tasks/:id`; `unmatched` for any other",
      status: "HTTP status",
    },
    buckets: requestBuckets,
  },
  cazi_ready: gauge("api", "1: `/readyz` answers 200."),

  cazi_build_info: gauge("process", "Always 1; what runs.", {
    version: "Cazi's version",
    node: "Node's version",
    roles: "the roles of the process",
  }),
  cazi_process_start_time_seconds: gauge("process", "When the process began, in seconds since 1970."),
  cazi_process_cpu_seconds_total: counter("process", "CPU time used, user and system."),
  cazi_process_resident_memory_bytes: gauge("process", "Resident memory."),
  cazi_process_heap_used_bytes: gauge("process", "Memory of live JavaScript objects and garbage."),
  cazi_event_loop_lag_seconds: gauge("process", "Delay of the event loop since the collection before.", {
    quantile: ["0.5", "0.99", "1"],
  }),
  cazi_nats_connected: gauge("process", "1: connected."),
  cazi_nats_reconnects_total: counter("process", "Connections lost and made again."),
  cazi_metrics_source_up: gauge(
    "process",
    "0: what feeds a group of metrics did not answer; they are absent.",
    {
      source: "name of the group",
    },
  ),
} as const satisfies Record<string, Family>;

export type FamilyName = keyof typeof families;
type NamesOf<K extends Family["kind"]> = {
  [N in FamilyName]: (typeof families)[N]["kind"] extends K ? N : never;
}[FamilyName];
export type CounterName = NamesOf<"counter">;
export type GaugeName = NamesOf<"gauge">;
export type HistogramName = NamesOf<"histogram">;

/** The labels of a family, each with one of its values. */
export type LabelsOf<N extends FamilyName> = {
  readonly [L in keyof (typeof families)[N]["labels"]]: (typeof families)[N]["labels"][L] extends readonly (infer V)[]
    ? V
    : string;
};
