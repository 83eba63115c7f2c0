/**
 * The fold of a ledger into the tasks that are not over: what the scheduler, the reactor and the answers to
 * beats decide from. It grows with what is live, not with history, apart from a bounded memory of what ended.
 */
import type { TaskEventBody } from "../task/taskEvent.ts";
import { isLive, isPlaced, type PendingTask, type PlacedTask, type TaskState } from "../task/taskState.ts";

export interface LiveTask {
  readonly tenant: string;
  readonly task: string;
  readonly state: PendingTask | PlacedTask;
  /** Sequence of the event that carries this state. */
  readonly seq: number;
  /** When its status became what it is, in milliseconds since 1970. */
  readonly since: number;
  /** Canonical JSON of the spec. */
  readonly spec: string;
}

/** What the fold takes of an event. */
export interface FoldedEvent {
  readonly seq: number;
  /** When it happened, in milliseconds since 1970, as its writer wrote it. */
  readonly at: number;
  readonly tenant: string;
  readonly task: string;
  readonly body: TaskEventBody;
  readonly state: TaskState;
}

/** Enough of an ended task to tell its node that an attempt is settled without asking the ledger. */
const ENDED_REMEMBERED = 50_000;

export class LiveTasks {
  readonly #live = new Map<string, LiveTask>();
  readonly #byNode = new Map<string, Set<string>>();
  /** In the order in which they began to wait: a Map keeps insertion order. */
  readonly #pending = new Map<string, LiveTask & { readonly state: PendingTask }>();
  /** Whether each is erased by now. In order of ending: the oldest is the first key. */
  readonly #ended = new Map<string, boolean>();
  #position = 0;
  #onChange: (task: string, now: LiveTask | undefined) => void = () => undefined;

  /** Sequence of the newest event folded. */
  get position(): number {
    return this.#position;
  }

  get size(): number {
    return this.#live.size;
  }

  /** Folds one event. Events already folded are skipped, so that a snapshot may be a little newer than asked. */
  apply(event: FoldedEvent): void {
    if (event.seq <= this.#position) return;
    this.#position = event.seq;
    const before = this.#live.get(event.task);
    if (before && isPlaced(before.state)) this.#byNode.get(before.state.node)?.delete(event.task);
    if (!isLive(event.state)) {
      this.#end(event.task, event.state.status === "erased");
      return;
    }
    const spec = event.body.type === "submitted" ? event.body.spec : (before?.spec ?? "");
    // A retry waits anew; a cancel that is asked for changes no status.
    const since = before?.state.status === event.state.status ? before.since : event.at;
    this.#put({ tenant: event.tenant, task: event.task, state: event.state, seq: event.seq, since, spec });
  }

  /** Tells of each task that changes from now on, at once; undefined: it is over. */
  watch(listener: (task: string, now: LiveTask | undefined) => void): void {
    const others = this.#onChange;
    this.#onChange = (task, now) => {
      others(task, now);
      listener(task, now);
    };
  }

  get(task: string): LiveTask | undefined {
    return this.#live.get(task);
  }

  /** True when the task is known to have ended; false says nothing. */
  hasEnded(task: string): boolean {
    return this.#ended.has(task);
  }

  /** Whether a task that is over is erased, at this position; undefined for one that is not known to have ended. */
  isErased(task: string): boolean | undefined {
    return this.#ended.get(task);
  }

  /** Tasks with an attempt on `node`. */
  *on(node: string): IterableIterator<LiveTask & { readonly state: PlacedTask }> {
    for (const task of this.#byNode.get(node) ?? [])
      yield this.#live.get(task) as LiveTask & { state: PlacedTask };
  }

  /** Tasks that wait for a node, the longest-waiting first. */
  pending(): IterableIterator<LiveTask & { readonly state: PendingTask }> {
    return this.#pending.values();
  }

  countOn(node: string): number {
    return this.#byNode.get(node)?.size ?? 0;
  }

  nodes(): IterableIterator<string> {
    return this.#byNode.keys();
  }

  all(): IterableIterator<LiveTask> {
    return this.#live.values();
  }

  /** All that a takeover needs; JSON-safe. */
  snapshot(): { readonly position: number; readonly tasks: readonly LiveTask[] } {
    return { position: this.#position, tasks: [...this.#live.values()] };
  }

  /** The fold at a snapshot's position. */
  static restore(snapshot: { readonly position: number; readonly tasks: readonly LiveTask[] }): LiveTasks {
    const fold = new LiveTasks();
    for (const task of snapshot.tasks) fold.#put(task);
    fold.#position = snapshot.position;
    return fold;
  }

  #put(task: LiveTask): void {
    this.#live.set(task.task, task);
    this.#ended.delete(task.task);
    this.#onChange(task.task, task);
    if (!isPlaced(task.state)) {
      this.#pending.set(task.task, task as LiveTask & { state: PendingTask });
      return;
    }
    this.#pending.delete(task.task);
    const set = this.#byNode.get(task.state.node);
    if (set) set.add(task.task);
    else this.#byNode.set(task.state.node, new Set([task.task]));
  }

  #end(task: string, erased: boolean): void {
    this.#live.delete(task);
    this.#onChange(task, undefined);
    this.#pending.delete(task);
    this.#ended.set(task, erased);
    if (this.#ended.size <= ENDED_REMEMBERED) return;
    this.#ended.delete(this.#ended.keys().next().value!);
  }
}
