import type { TaskEvent } from "../../../schemas/taskEvents.ts";
import { artifactTtlSecondsDefault } from "../../domain/spec/limits.ts";
import { foldArtifacts, noArtifacts, type TaskArtifacts } from "../../domain/task/artifacts.ts";
import type { CarriedTask } from "../../domain/task/taskState.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskKey, TaskLedger } from "../../kernel/ledger/taskLedger.ts";

/** Tasks whose folds are kept, so that the next file of a task costs one read and not its whole history. */
const KEPT_MAX = 1_000;

/** What a task's history says of its artifacts, up to one of its events. */
export interface ArtifactRecord {
  readonly version: { readonly state: CarriedTask; readonly seq: number };
  readonly artifacts: TaskArtifacts;
  /** Life of its files. */
  readonly ttlMs: number;
}

/** A task's events after a sequence, oldest first. */
export type History = (
  key: TaskKey,
  options: { readonly after: number },
) => AsyncIterable<{ readonly seq: number; readonly event: TaskEvent }>;

interface Fold {
  readonly seq: number;
  readonly artifacts: TaskArtifacts;
  readonly ttlMs: number;
}

/**
 * Reads records of artifacts from the ledger: they need no Postgres, and show a file as soon as it is stored.
 */
export class ArtifactRecords {
  readonly #ports: { readonly ledger: Pick<TaskLedger, "load">; readonly history: History };
  /** In order of use: the first is the one that is dropped. */
  readonly #kept = new Map<string, Fold>();

  constructor(ports: { readonly ledger: Pick<TaskLedger, "load">; readonly history: History }) {
    this.#ports = ports;
  }

  /** The record as of now. @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`; Retryable `LEDGER_UNAVAILABLE` */
  async read(key: TaskKey): Promise<ArtifactRecord> {
    const { state, seq } = await this.#ports.ledger.load(key);
    if (state.status === "absent") throw new Rejection("TASK_NOT_FOUND", "There is no such task.");
    if (state.status === "erased") throw new Rejection("TASK_ERASED", "The task has been erased.");
    const fold = await this.#foldTo(key, seq);
    return { version: { state, seq }, artifacts: fold.artifacts, ttlMs: fold.ttlMs };
  }

  async #foldTo(key: TaskKey, seq: number): Promise<Fold> {
    const name = `${key.tenant}/${key.task}`;
    const start = { seq: 0, artifacts: noArtifacts, ttlMs: artifactTtlSecondsDefault * 1000 };
    let fold: Fold = this.#kept.get(name) ?? start;
    // Somebody who asked later was faster: their fold is too new for this state.
    if (fold.seq > seq) fold = start;
    if (fold.seq < seq) {
      const events: TaskEvent[] = [];
      for await (const one of this.#ports.history(key, { after: fold.seq })) {
        if (one.seq > seq) break;
        events.push(one.event);
      }
      const ttlMs = ttlOf(events[0]) ?? fold.ttlMs;
      fold = { seq, artifacts: foldArtifacts(fold.artifacts, events), ttlMs };
    }
    this.#kept.delete(name);
    this.#kept.set(name, fold);
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value!);
    return fold;
  }
}

/** Of a first event; specs stored by older versions say nothing of it. */
function ttlOf(first: TaskEvent | undefined): number | null {
  if (first?.body.type !== "submitted") return null;
  const { artifact_ttl_seconds: seconds } = JSON.parse(first.body.spec) as { artifact_ttl_seconds?: unknown };
  return typeof seconds === "number" ? seconds * 1000 : null;
}
