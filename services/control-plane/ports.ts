/** What the API needs of the world, as types. `main.ts` gives the real ones; tests give small ones. */
import type { Attempt } from "../../schemas/api/attempt.ts";
import type { BulkAction, BulkFilter } from "../../schemas/api/bulk.ts";
import type { Health } from "../../schemas/api/health.ts";
import type { ListTasksQuery } from "../../schemas/api/listTasks.ts";
import type { Node } from "../../schemas/api/node.ts";
import type { Page } from "../../schemas/api/page.ts";
import type { PendingReason } from "../../schemas/api/pendingReason.ts";
import type { Task, TaskSummary } from "../../schemas/api/task.ts";
import type { ApiTaskEvent } from "../../schemas/api/taskEvent.ts";
import type { Refusal } from "../domain/refusal.ts";
import type { WorkloadSpec } from "../domain/spec/workloadSpec.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ConnectionStore } from "../kernel/connections/connectionStore.ts";
import type { DeadLetters } from "../kernel/deadLetters/deadLetters.ts";
import type { TaskKey, TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { WriteGate } from "../kernel/ledger/writeGate.ts";
import type { Log } from "../kernel/log.ts";
import type { LogSource } from "../kernel/logs/logSource.ts";
import type { Meter } from "../kernel/metrics/metrics.ts";
import type { SubscriberStore } from "../kernel/subscribers/subscriberStore.ts";
import type { Tracer } from "../kernel/tracing/tracer.ts";
import type { Admission } from "./admission/admission.ts";
import type { ReadPorts } from "./artifacts/readArtifact.ts";
import type { FeedSource } from "./feed/feedSource.ts";
import type { Identity } from "./identity/identity.ts";
import type { Fleet } from "./nodes/fleet.ts";
import type { People } from "./people/people.ts";
import type { Quotas } from "./quotas/quotas.ts";
import type { PreviewedSelection, SelectedTask } from "./reads/selectTasks.ts";
import type { AckMode } from "./submit/ack.ts";
import type { CheckpointWatch } from "./submit/checkpointWatch.ts";
import type { TaskEnds } from "./tasks/taskEnds.ts";

/** What a person or a token may do, each with all that the one before may: look, act, administer the tenant. */
export const roles = ["viewer", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

/** Whom a token speaks for. */
export interface Principal {
  readonly tenant: string;
  /** Such as `user:admin`, or `agent:fixer`. */
  readonly actor: string;
  /** The person who answers for an agent or an automation; null for a person. */
  readonly accountable?: string | null;
  readonly role: Role;
  /** Of the installation's own tenant: with the role admin it administers tenants, nodes and keys. */
  readonly installation?: boolean;
  /** The token that was sent; none for a sign-in. */
  readonly token?: { readonly id: string; readonly name: string; readonly expiresAt: number | null };
}

export interface TokenVerifier {
  /**
   * Whom a bearer token speaks for now; null for nobody.
   * @throws Rejection `UNAUTHENTICATED` for one that was good and has expired or was revoked; Retryable `TOKENS_UNREACHABLE`, `SIGN_IN_UNREACHABLE` where that cannot be told
   */
  verify(token: string): Promise<Principal | null> | Principal | null;
}

/** A task, and the sequence of the last event that it shows. */
export interface LocatedTask {
  readonly task: Task;
  readonly seq: number;
}

/** Postgres' side of the reads. `pending_reason` is null in what it gives: nodes are not in Postgres. */
export interface TaskReads {
  findTask(key: TaskKey): Promise<LocatedTask | null>;
  /** Newest first. @throws Rejection `CURSOR_INVALID` */
  listTasks(tenant: string, query: ListTasksQuery): Promise<Page<TaskSummary>>;
  /** Of what a bulk action would be done to, and the position that this is of. */
  previewSelection(
    tenant: string,
    of: { readonly action: BulkAction; readonly filter: BulkFilter },
  ): Promise<PreviewedSelection>;
  /** The next tasks of a selection. @throws Rejection `CURSOR_INVALID` */
  selectionPage(
    tenant: string,
    of: {
      readonly action: BulkAction;
      readonly filter: BulkFilter;
      readonly asOf: number;
      readonly limit: number;
      readonly cursor?: string | undefined;
    },
  ): Promise<Page<SelectedTask>>;
  /** Oldest first. @throws Rejection `CURSOR_INVALID` */
  listAttempts(
    key: TaskKey,
    query: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<Page<Attempt>>;
  /** Oldest first. @throws Rejection `CURSOR_INVALID` */
  listTaskEvents(
    key: TaskKey,
    query: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<Page<ApiTaskEvent>>;
}

/** A request to `/mcp`, checked as any other. */
export interface McpAsked {
  /** Without its body; its signal ends what it began. */
  readonly request: Request;
  readonly body: string;
  /** The caller's own: whatever is asked of the API is asked with it. */
  readonly token: string;
  /** Where this API answers. */
  readonly apiUrl: string;
}

export interface ApiPorts {
  readonly admission: Admission;
  readonly clock: Clock;
  readonly log: Log;
  readonly tokens: TokenVerifier;
  readonly people: People;
  readonly quotas: Quotas;
  readonly ledger: TaskLedger;
  /** The ledger's gate, where it may be shut: a ledger that lost events also silences the projector. */
  readonly gate?: Pick<WriteGate, "state" | "open">;
  readonly reads: TaskReads;
  readonly ends: TaskEnds;
  readonly checkpoints: CheckpointWatch;
  /** Creation time of the ledger, as its server writes it: positions of another one are of another ledger. */
  readonly epoch: string;
  /** What an acknowledged submit means. */
  readonly ack: AckMode;
  /** Longest wait for it. */
  readonly ackWaitMs: number;
  /** Who containers are; also what checks their tokens. */
  readonly identity: Identity;
  readonly connections: ConnectionStore;
  readonly logs: LogSource;
  readonly feed: FeedSource;
  readonly dead: DeadLetters;
  readonly artifacts: ReadPorts;
  readonly subscribers: SubscriberStore;
  nodes(): readonly Node[];
  readonly fleet: Fleet;
  /** Why no node of the tenant can ever run what asks for these mounts, or null. */
  refuseMounts(tenant: string, mounts: WorkloadSpec["mounts"]): Refusal | null;
  /** Why the output of this spec cannot go where it says, or null. */
  refuseSinks(tenant: string, of: { readonly spec: WorkloadSpec; readonly written: unknown }): Refusal | null;
  /** Whether commands of scripts are taken as tasks: nodes reach this control plane for them. */
  readonly takesCommands: boolean;
  /** Whether `model.call` of scripts is answered. */
  readonly asksModel: boolean;
  /** Why no node runs this pending task, or null. */
  pendingReason(task: Task): PendingReason | null;
  /** Tells a node to look again at once. A lost hint costs one beat. */
  hintNode(node: string): void;
  readonly database: { up(): boolean };
  /** Why nothing more may be stored, as a sentence; null while there is room. */
  readonly storage: { full(): string | null };
  /** What answers are counted with, and the figures of the whole process. */
  readonly metrics: Meter & {
    text(): Promise<string>;
    /** Whether `/metrics` is served, and whether it asks for a token. */
    readonly access: "open" | "token" | "off";
  };
  readonly tracer: Tracer;
  /** A `traceparent` of a new trace, for a task that comes without one. */
  newTraceparent(): string;
  /** Answers MCP over HTTP, given in from outside; null where it is not offered. */
  readonly mcp: ((of: McpAsked) => Promise<Response>) | null;
  /** What is missing for serving; empty when nothing is. */
  unready(): Health["reasons"];
  /** Names beside loopback's that a request may give as its host; null where any is right. */
  readonly hosts: readonly string[] | null;
  /** Aborted when the server ends: long answers end with it. */
  readonly stopping: AbortSignal;
  /** Before that: the server is about to stop, and its clients' next requests belong to another one. */
  readonly draining: AbortSignal;
}
