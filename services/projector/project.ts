import { evolve } from "../domain/task/evolve.ts";
import { terminalEventTypes } from "../domain/task/taskEvent.ts";
import { isEnded, type TaskState } from "../domain/task/taskState.ts";
import type { StoredEvent } from "../kernel/ledger/storedEvent.ts";
import { type TaskIntentRow, type TaskStateRow, taskIntentRow, taskStateRow } from "./taskRow.ts";

/** What a batch of events means for the read models. */
export interface Projection {
  /** Events to copy, in order. */
  readonly copied: readonly StoredEvent[];
  /** Events that break a rule of the copy: kept apart, applied to nothing. */
  readonly conflicts: readonly Conflict[];
  /** Tasks first seen here, each once, in its last state. */
  readonly created: readonly (TaskStateRow & TaskIntentRow)[];
  /** Tasks known before, each once, in its last state. */
  readonly changed: readonly TaskStateRow[];
  readonly erased: readonly { readonly tenant: string; readonly id: string }[];
}

/** An event that cannot be copied, and the rule of `ledger_events` that it breaks. */
export interface Conflict {
  readonly stored: StoredEvent;
  readonly violates: "event_once" | "one_end";
}

interface Fold {
  readonly tenant: string;
  readonly id: string;
  seq: number;
  state: TaskState;
  intent: TaskIntentRow | null;
}

const terminal: ReadonlySet<string> = new Set(terminalEventTypes);

/** True for a transition after which a task is over. */
export function isTerminal(type: string): boolean {
  return terminal.has(type);
}

/**
 * Folds events, in the order of the ledger, into rows. Pure. Every event carries the state after it, so the last
 * one of a task is its row; what lies between is checked and copied, no more. Rows are sorted by tenant and id,
 * so that two writers lock them in the same order.
 * @param known conflicts found by the database, to be left out of the rows
 * @throws IllegalTransition when an event does not follow from the one before it in the batch
 */
export function project(events: readonly StoredEvent[], known: readonly Conflict[] = []): Projection {
  const folds = new Map<string, Fold>();
  const conflicts = [...known];
  const apart = new Set(known.map((one) => one.stored.seq));
  const copied: StoredEvent[] = [];
  for (const stored of events) {
    if (apart.has(stored.seq)) continue;
    if (applied(folds, stored)) copied.push(stored);
    else conflicts.push({ stored, violates: "one_end" });
  }
  return { copied, conflicts, ...rowsOf([...folds.values()].sort(byTenantAndId)) };
}

/** @returns false for an event that ends a task a second time, or builds on such an end. INV-ONE-END */
function applied(folds: Map<string, Fold>, stored: StoredEvent): boolean {
  const { event, seq } = stored;
  const { tenant, task: id, body } = event;
  // A subject is one aggregate of one tenant.
  const fold = folds.get(stored.subject);
  if (fold === undefined) {
    folds.set(stored.subject, { tenant, id, seq, state: event.state, intent: intentOf(stored) });
    return true;
  }
  if (isEnded(fold.state) && (isTerminal(body.type) || contradicts(fold.state, event.state))) return false;
  // INV-LEGAL: throws for a transition that the state table does not have.
  evolve(fold.state, body, event.at);
  fold.seq = seq;
  fold.state = event.state;
  return true;
}

function contradicts(ended: TaskState, next: TaskState): boolean {
  return next.status !== "erased" && next.status !== ended.status;
}

function intentOf({ event }: StoredEvent): TaskIntentRow | null {
  const { body } = event;
  return body.type === "submitted" || body.type === "blocked" ? taskIntentRow(body, event.at) : null;
}

function rowsOf(folds: readonly Fold[]): Pick<Projection, "created" | "changed" | "erased"> {
  const created: (TaskStateRow & TaskIntentRow)[] = [];
  const changed: TaskStateRow[] = [];
  const erased: { tenant: string; id: string }[] = [];
  for (const { tenant, id, seq, state, intent } of folds) {
    if (state.status === "absent") continue;
    if (state.status === "erased") {
      if (intent === null) erased.push({ tenant, id });
      continue;
    }
    const row = taskStateRow({ tenant, id, seq }, state);
    if (intent === null) changed.push(row);
    else created.push({ ...row, ...intent });
  }
  return { created, changed, erased };
}

function byTenantAndId(a: Fold, b: Fold): number {
  if (a.tenant !== b.tenant) return a.tenant < b.tenant ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
