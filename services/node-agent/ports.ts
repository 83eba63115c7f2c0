/** What the node agent needs of the world, as types. Adapters and runtimes implement them. */

import type {
  AttemptRef,
  Beat,
  BeatReply,
  GrantReply,
  GrantRequest,
  Heartbeat,
  ImageIdentity,
  NodeRegistration,
  PullFacts,
  RegisterReply,
  Report,
} from "../../schemas/messages/node.ts";
import type { LogStream } from "../../streams/subjects.ts";
import type { AgentLife } from "./agentLife.ts";
import type { ExecutionSpec } from "./executionSpec.ts";

/** A place in the ledger. */
export interface LedgerPosition {
  readonly epoch: string;
  readonly seq: number;
}

/** What a restarted agent must know of an attempt before it has reached the control plane; kept with the container. */
export interface AttemptTerms {
  readonly timeoutMs: number;
  readonly stopGraceMs: number;
  readonly outputBytesMax: number;
  readonly grantedAt: LedgerPosition;
  readonly image: ImageIdentity | null;
}

/** An attempt of this instance and node as found on the runtime. */
export interface RuntimeAttempt {
  readonly ref: AttemptRef;
  /** `created` never ran; `exited` ran and ended. */
  readonly state: "created" | "running" | "exited";
  /** Null when the runtime lost it or another version wrote it. */
  readonly terms: AttemptTerms | null;
}

/** What a runtime says of itself. */
export interface RuntimeFacts {
  /** Kind and version of the engine, for people; null when there is none. */
  readonly engine: string | null;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Why nothing can run now; null when it can. */
  readonly unavailable: string | null;
}

/** Bytes of each stream since the attempt's start. */
export type OutputOffsets = Readonly<Record<LogStream, number>>;

/** Takes an attempt's output. It never refuses bytes; it says when the reader should hold on. */
export interface OutputSink {
  write(stream: LogStream, bytes: Uint8Array): void;
  /** True while the reader should not bring more. */
  readonly full: boolean;
  /** Resolves when it is not full any more. */
  ready(): Promise<void>;
}

export type OutputEnd = "eof" | "stalled" | "broken" | "refused";

/** One reading of an attempt's output. */
export interface Attachment {
  /**
   * `eof`: the runtime says there is no more. `stalled`: dropped because the sink stayed full. `broken`: the
   * connection failed, or {@link Attachment.close} was called. `refused`: the runtime answers that it cannot
   * give it. Never rejects.
   */
  readonly ended: Promise<OutputEnd>;
  close(): void;
}

/** How far a pull is, in the words of a report. */
export type PullState = Omit<PullFacts, "notice">;

/** An attempt that waits for its image. */
export interface ImageWaiter {
  /** The attempt's own credentials, by registry host; none unless given. */
  readonly registries?: Readonly<Record<string, { readonly username: string; readonly password: string }>>;
  /** It waits no longer than this, on the monotonic clock. */
  readonly deadlineMs: number;
  /** Settles when it waits no more, whatever the reason; may never do so. */
  readonly left: Promise<void>;
  /** Never called where nothing is pulled. */
  onPull(state: PullState, kind: PullNewsKind): void;
}

/** Of a pull: it began, it is further, a try failed and is repeated, or it failed for good. */
export type PullNewsKind = "begun" | "progress" | "failed" | "over";

export type ImageOutcome =
  | { readonly is: "resolved"; readonly image: ImageIdentity }
  | { readonly is: "unavailable"; readonly message: string }
  | {
      readonly is: "pull_failed";
      readonly message: string;
      /** Trying again cannot change it. */
      readonly final: boolean;
      /** What the registry asked to be waited for, from now. */
      readonly retryAfterMs: number | null;
    };

export type CreateOutcome =
  | { readonly is: "created" }
  | { readonly is: "exists" }
  /** Node policy or the engine says no to this spec; repeating it changes nothing. */
  | { readonly is: "refused"; readonly message: string };

export type StartOutcome =
  | { readonly is: "started" }
  | { readonly is: "already" }
  | { readonly is: "failed"; readonly message: string };

/** How an attempt's process ended. Times are milliseconds since 1970, of the engine's clock. */
export interface ExitFacts {
  readonly exitCode: number;
  readonly oomKilled: boolean;
  readonly startedAt: number | null;
  readonly finishedAt: number;
  /** True when the engine was away meanwhile: an attach may have missed bytes without a word. */
  readonly interrupted: boolean;
  /** The runtime itself ended it at its time limit. */
  readonly timedOut?: boolean;
  /** Of the runtime, for the record. */
  readonly message?: string;
}

/**
 * What runs attempts. Every call may be repeated; "already there" and "not there" are outcomes.
 * A runtime that cannot be reached throws Retryable `ENGINE_UNREACHABLE` from any call.
 */
export interface Runtime {
  readonly kind: "docker" | "noop" | "compartment";
  /** True when attempts live on without the agent: then each start leaves a synced marker first. */
  readonly outlivesAgent: boolean;
  /** Tools that it offers to scripts; missing where it runs none. */
  readonly scriptTools?: readonly string[];
  describe(): Promise<RuntimeFacts>;
  observe(): Promise<readonly RuntimeAttempt[]>;
  /** Those that can be seen while the engine cannot. */
  observeScripts?(): Promise<readonly RuntimeAttempt[]>;
  /** @param pin the only image that may run, when an earlier attempt resolved it */
  resolveImage(
    spec: Pick<ExecutionSpec, "image" | "pull_policy" | "script">,
    pin: ImageIdentity | null,
    waiter: ImageWaiter,
  ): Promise<ImageOutcome>;
  /** @param secretFiles content as base64, by path below the folder of secrets */
  create(
    ref: AttemptRef,
    spec: ExecutionSpec,
    terms: AttemptTerms,
    secretFiles: Readonly<Record<string, string>>,
  ): Promise<CreateOutcome>;
  /** Reads output live, from the first byte when called before {@link Runtime.start}. */
  attach(ref: AttemptRef, sink: OutputSink): Promise<Attachment>;
  /** Reads the runtime's own record of the output from byte offsets; `live` goes on until the attempt ends. */
  follow(ref: AttemptRef, sink: OutputSink, options: { from: OutputOffsets; live: boolean }): Attachment;
  start(ref: AttemptRef): Promise<StartOutcome>;
  /** Milliseconds since 1970 of the engine's clock; null when it never ran or is not there. */
  startedAt(ref: AttemptRef): Promise<number | null>;
  /** Resolves at the exit, or with `gone` when the runtime does not know the attempt; rejects (Abandoned) when the life ends. */
  wait(ref: AttemptRef, life: AgentLife): Promise<ExitFacts | "gone">;
  signal(ref: AttemptRef, signal: "SIGTERM" | "SIGKILL"): Promise<"sent" | "not_running">;
  remove(ref: AttemptRef): Promise<void>;
}

/** The control plane's answers. Both throw when nobody answers in time. */
export interface ControlPlane {
  grant(request: GrantRequest): Promise<GrantReply>;
  beat(beat: Beat): Promise<BeatReply>;
}

/** Durable reports: resolves when stored, throws when that is not known. */
export interface Reports {
  publish(report: Report): Promise<void>;
}

/** A piece of one output stream; `dropped` says how many bytes beyond it were not stored. */
export interface LogChunk {
  readonly ref: AttemptRef;
  readonly stream: LogStream;
  readonly offset: number;
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly dropped: number | null;
}

/** The store of raw output. */
export interface Logs {
  /** Resolves when stored, throws when that is not known; the same chunk may be sent again. */
  append(chunk: LogChunk): Promise<void>;
  /** Bytes stored so far of one stream. */
  storedOffset(ref: AttemptRef, stream: LogStream): Promise<number>;
}

/** Where the node makes itself known. */
export interface NodeDirectory {
  /** What of it is taken. Throws when nobody answers in time. */
  register(registration: NodeRegistration): Promise<RegisterReply>;
  heartbeat(heartbeat: Heartbeat): Promise<void>;
}

/** One offered attempt; it is offered again until acknowledged. */
export interface ClaimOffer {
  readonly ref: AttemptRef;
  ack(): void;
  /** Says that it is still being looked at, so that it is not offered again meanwhile. */
  working(): void;
}

/** The node's share of the work queue. */
export interface ClaimQueue {
  /** Asks for up to `count` offers; resolves when they have come, or none came for a while. */
  fetch(count: number, onOffer: (offer: ClaimOffer) => void): Promise<void>;
  /** Ends outstanding fetches. */
  close(): void;
}

/** A word that the agent gave about an attempt and must keep after a crash: "I start it" or "it never starts". */
export interface Marker {
  readonly ref: AttemptRef;
  readonly terms: AttemptTerms | null;
  /** Null: it was about to be started. */
  readonly notStarted: Report["not_started"];
}

/** The markers of this node on disk. */
export interface Markers {
  /** Takes the room for one marker of this attempt, so that writing it needs none; throws when there is none. */
  reserve(ref: AttemptRef): Promise<void>;
  /** Synced before it resolves; replaces an earlier marker of the same attempt. */
  write(marker: Marker): Promise<void>;
  /** Throws while one could not be written. */
  probe(): Promise<void>;
  list(): Promise<readonly Marker[]>;
  /** Its marker, and room that was reserved for it. */
  remove(ref: AttemptRef): Promise<void>;
}

/** The shape of the services' logger that the agent uses. */
export interface AgentLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
