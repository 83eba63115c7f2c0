/**
 * What a node agent and the control plane say to each other. JSON, validated by whoever receives: either side
 * may be of another version, so a reader ignores fields it does not know and refuses what it cannot decode.
 * Times are milliseconds since 1970 of the writer's clock and are for people to read; no decision about
 * liveness or order uses another machine's clock. Durations end in `_ms` and are counted on the reader's
 * monotonic clock.
 */
import { z } from "zod";

const nonNegative = z.number().int().nonnegative();

/** The image that really runs: an imported image has no repository digest, a pulled one has both. */
export const imageIdentity = z.object({
  ref: z.string(),
  repo_digest: z.string().nullable(),
  image_id: z.string().nullable(),
});
export type ImageIdentity = z.output<typeof imageIdentity>;

/**
 * How far the pull of an attempt's image is; null where nothing is pulled. `notice` grows with each piece of news
 * that the record should have (start, failed try, progress, end), across restarts of the agent too.
 */
export const pullFacts = z.object({
  ref: z.string(),
  notice: z.number().int().positive(),
  tries: z.number().int().positive(),
  started_at: nonNegative,
  layers_done: nonNegative,
  layers_total: nonNegative,
  bytes_done: nonNegative,
  bytes_total: nonNegative,
  last_error: z.string().nullable(),
  retry_at: nonNegative.nullable(),
  finished_at: nonNegative.nullable(),
});
export type PullFacts = z.output<typeof pullFacts>;

/**
 * Which attempt: enough to address its messages and to recognise a stale one. As `claim.<node>.<task>` in CLAIMS it is the offer
 * of the attempt to a node, which starts nothing; a grant does.
 */
export const attemptRef = z.object({
  tenant: z.string(),
  task: z.string(),
  attempt: z.number().int().positive(),
  fence: z.string(),
});
export type AttemptRef = z.output<typeof attemptRef>;

/** `grant.<node>`: the node asks whether the attempt may start now. Repeatable. */
export const grantRequest = attemptRef.extend({
  node: z.string(),
  /** A node with no room, or draining, declines; it costs no retry. */
  decline: z.string().nullable().default(null),
});
export type GrantRequest = z.output<typeof grantRequest>;

/** What a grant hands over of stored connections. */
export const grantSecrets = z.object({
  environment: z.record(z.string(), z.string()),
  /** Path below the folder of secrets in the container, and the content as base64. */
  files: z.record(z.string(), z.string()),
  /** Credentials by registry host, for the pull alone. */
  registries: z.record(z.string(), z.object({ username: z.string(), password: z.string() })),
});
export type GrantSecrets = z.output<typeof grantSecrets>;

/** The answer. The same (node, fence) asking again gets the same yes. */
export const grantReply = z.discriminatedUnion("answer", [
  z.object({
    answer: z.literal("yes"),
    /** Canonical JSON of the WorkloadSpec. */
    spec: z.string(),
    /** Set when an earlier attempt resolved the image: this one and nothing else may run. */
    image: imageIdentity.nullable(),
    /** What is known of this attempt's pull: an agent that starts again goes on from there. */
    pull: pullFacts.nullable().default(null),
    /** W3C trace context for the container, and for what the node does. */
    traceparent: z.string().nullable().default(null),
    tracestate: z.string().nullable().default(null),
    /** Signed JWT that says which task, attempt and person the container acts for; null where none is issued. */
    workload_token: z.string().nullable().default(null),
    /** Where the container may put files, as it is reached from a bridge network; null where nothing is offered. */
    artifact_url: z.string().nullable().default(null),
    /** Where the node fetches what becomes `/pipe/stdin`, with the workload token; null where there is no such place. */
    stdin_url: z.string().nullable().default(null),
    /** The model's address that the control plane asks for scripts, beside the place of files; null where it asks none. */
    model_url: z.string().nullable().default(null),
    /** Secrets of the connections that the spec names. They live in this answer alone, never in a stream. */
    secrets: grantSecrets.nullable().default(null),
    /** From the node's sending of the request to the container's start, pulls included. */
    start_within_ms: nonNegative,
    /** Between SIGTERM and SIGKILL. */
    stop_grace_ms: nonNegative,
    /** Where the ledger holds this attempt's `claimed`: an absence seen from before it says nothing. */
    as_of: z.object({ epoch: z.string(), seq: nonNegative }),
  }),
  /** The offer is over (taken back, cancelled, settled): acknowledge the claim and forget it. */
  z.object({ answer: z.literal("no"), reason: z.string() }),
  /** Not known now (ledger unreachable or behind): ask again. */
  z.object({ answer: z.literal("later"), reason: z.string() }),
]);
export type GrantReply = z.output<typeof grantReply>;

/** How an attempt ended, as the runtime saw it. */
export const ended = z.object({
  /** Null when no process ever ran to an exit. */
  exit_code: z.number().int().nullable(),
  /** Signal number (1-64) when the process was ended by one. */
  signal: z.number().int().nullable(),
  oom_killed: z.boolean(),
  /** Who stopped it; null when it ended by itself. An exit before the first SIGTERM counts as by itself. */
  stopped_by: z.enum(["timeout", "cancel", "disconnect", "settled"]).nullable(),
  /** Set when the attempt never produced an exit: why. */
  failure: z.enum(["container_lost", "runtime_error"]).nullable(),
  finished_at: nonNegative,
  message: z.string().nullable(),
});
export type Ended = z.output<typeof ended>;

/** What is known of one output stream; offsets count bytes since the attempt's start. */
export const logCount = z.object({
  /** Bytes stored in LOGS. */
  stored: nonNegative,
  /** Bytes produced beyond the cap and not stored. */
  dropped: nonNegative,
});

/**
 * `report.<node>.<task>` in REPORTS. Cumulative: every report holds all facts so far, so that the newest alone
 * is enough, and an older one that arrives late is a no-op.
 */
export const report = attemptRef.extend({
  node: z.string(),
  /** Grows with each report of this attempt, across restarts of the agent too. */
  revision: z.number().int().positive(),
  image: imageIdentity.nullable(),
  pull: pullFacts.nullable().default(null),
  /** The attempt will never start: nothing ran, so no retry is used. */
  not_started: z
    .object({
      reason: z.enum([
        "image_pull",
        "image_unavailable",
        "connection_missing",
        "stdin_gone",
        "start_limit",
        "cancelled",
        "runtime_refused",
        "declined",
      ]),
      message: z.string(),
      /** Trying again cannot change it. */
      final: z.boolean().default(false),
      /** Before that it would be in vain: what a registry asked for. */
      retry_after_ms: nonNegative.nullable().default(null),
    })
    .nullable(),
  started_at: nonNegative.nullable(),
  ended: ended.nullable(),
  logs: z.object({ stdout: logCount, stderr: logCount }),
});
export type Report = z.output<typeof report>;

/** What a node sees of one attempt on it. `held`: ended and reported, kept until the ledger says settled. */
export const observedAttempt = attemptRef.extend({
  state: z.enum(["granted", "preparing", "running", "stopping", "held"]),
});
export type ObservedAttempt = z.output<typeof observedAttempt>;

/** `beat.<node>`: liveness and reconciliation in one request. */
export const beat = z.object({
  node: z.string(),
  observed: z.array(observedAttempt),
  /** True when `observed` is cut to fit a message: what it leaves out is not thereby absent. */
  partial: z.boolean().default(false),
});
export type Beat = z.output<typeof beat>;

export const beatReply = z.object({
  /** The ledger position the answer is made from. A node acts on an absence only from a position at or after its grant. */
  as_of: z.object({ epoch: z.string(), seq: nonNegative }),
  /** Attempts that should be on this node. */
  desired: z.array(attemptRef.extend({ cancel: z.boolean() })),
  /** Observed fences whose attempt is over in the ledger: the only licence to remove a container. */
  settled: z.array(z.string()),
  /** `registered_at` of what counts as this node's registration now; null: there is none. Older control planes do not say. */
  registered_at: nonNegative.nullish(),
});
export type BeatReply = z.output<typeof beatReply>;

/** KV `nodes`, key `<node>`: what a node says it can do. */
export const nodeRegistration = z.object({
  node: z.string(),
  runtime: z.enum(["docker", "noop", "compartment"]),
  labels: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  slots: nonNegative,
  cpus: z.number().nonnegative(),
  memory_bytes: nonNegative,
  /** What its tasks may declare together, where the node says it; null: follows from the machine and the slots. */
  offered_cpus: z.number().positive().nullish(),
  offered_memory_bytes: nonNegative.nullish(),
  /** Host paths a task may mount, after realpath. */
  mount_allowlist: z.array(z.string()),
  /** Networks a task may ask for. */
  networks: z.array(z.string()),
  engine: z.string().nullable(),
  /** Tools that scripts on this node may be given; null: it runs no scripts. */
  script_tools: z.array(z.string()).nullish(),
  /** Why the node starts no containers now; null when it does. Scripts need no engine. */
  unavailable: z.string().nullable(),
  registered_at: nonNegative,
});
export type NodeRegistration = z.output<typeof nodeRegistration>;

/** Answer to `register.<node>`. */
export const registerReply = z.discriminatedUnion("answer", [
  z.object({
    answer: z.literal("taken"),
    /** What of it counts for nothing, because it was not declared for this node; one sentence each. */
    clipped: z.array(z.string()).default([]),
  }),
  z.object({ answer: z.literal("refused"), reason: z.string() }),
]);
export type RegisterReply = z.output<typeof registerReply>;

/** `offset.<node>`: how many bytes of this stream of its own attempt are in LOGS? */
export const logOffsetRequest = z.object({
  node: z.string(),
  task: z.string(),
  attempt: z.number().int().positive(),
  stream: z.enum(["stdout", "stderr"]),
});
export const logOffsetReply = z.object({ stored: nonNegative });

/** KV `heartbeats`, key `<node>`. */
export const heartbeat = z.object({ node: z.string(), at: nonNegative, running: nonNegative });
export type Heartbeat = z.output<typeof heartbeat>;

/** `checkpoint.<shard>`, core: how far Postgres is; published at each commit and every second. */
export const checkpointNotice = z.object({
  epoch: z.string(),
  seq: nonNegative,
  /** Messages in the ledger beyond `seq`, as the projector saw it. */
  lag: nonNegative,
});
export type CheckpointNotice = z.output<typeof checkpointNotice>;

/** Headers of a message in LOGS; its body is the raw bytes. */
export const logHeaders = {
  /** Byte offset of the body's first byte within its stream. */
  offset: "Cazi-Offset",
  /** Milliseconds since 1970 at which the node read the first byte. */
  at: "Cazi-Time",
  /** On an empty body: this many bytes were produced beyond the cap and not stored. */
  dropped: "Cazi-Dropped",
  /** Of the task: what comes after its erasure is found by it. Absent from nodes of earlier versions. */
  tenant: "Cazi-Tenant",
} as const;
