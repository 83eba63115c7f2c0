import { type AttemptTimes, attemptOver, noTimes, timesAfter } from "../domain/task/attempts.ts";
import { evolve } from "../domain/task/evolve.ts";
import { terminalEventTypes } from "../domain/task/taskEvent.ts";
import { isEnded, type TaskState } from "../domain/task/taskState.ts";
import type { StoredEvent } from "../kernel/ledger/storedEvent.ts";
import { type AttemptRow, attemptRow } from "./attemptRow.ts";
import { type TaskIntentRow, type TaskStateRow, taskIntentRow, taskStateRow } from "./taskRow.ts";

/** What a batch of events means for the read models. */
export interface Projection {
  /** Events to copy, in order. */
  readonly copied: readonly StoredEvent[];
  /** Events that are not even copied: their task is erased further on. */
  readonly passedOver: number;
  /** Events that break a rule of the copy: kept apart, applied to nothing. */
  readonly conflicts: readonly Conflict[];
  /** Tasks first seen here, each once, in its last state. */
  readonly created: readonly (TaskStateRow & TaskIntentRow)[];
  /** Tasks known before, each once, in its last state. */
  readonly changed: readonly TaskStateRow[];
  /** Attempts that are over while their task went on; where the offer is of an earlier batch, without its facts. */
  readonly attempts: readonly AttemptRow[];
  /** Tasks of which only the tombstone stays. */
  readonly erased: readonly { readonly tenant: string; readonly id: string; readonly subject: string }[];
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
  /** Of the last attempt, as far as this batch tells. */
  times: AttemptTimes;
  readonly attempts: AttemptRow[];
  readonly intent: TaskIntentRow | null;
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
  const stays = ({ event, subject }: StoredEvent) =>
    event.body.type === "erased" || folds.get(subject)?.state.status !== "erased";
  const kept = { copied: copied.filter(stays), conflicts: conflicts.filter(({ stored }) => stays(stored)) };
  return {
    ...kept,
    passedOver: copied.length + conflicts.length - kept.copied.length - kept.conflicts.length,
    ...rowsOf(folds),
  };
}

/** @returns false for an event that ends a task a second time, or builds on such an end. INV-ONE-END */
function applied(folds: Map<string, Fold>, stored: StoredEvent): boolean {
  const { event, seq } = stored;
  const { tenant, task: id, body } = event;
  // A subject is one aggregate of one tenant.
  const fold = folds.get(stored.subject);
  if (fold === undefined) {
    const first = {
      tenant,
      id,
      seq,
      state: event.state,
      times: noTimes,
      attempts: [],
      intent: intentOf(stored),
    };
    foldAttempt(first, stored, null);
    folds.set(stored.subject, first);
    return true;
  }
  if (isEnded(fold.state) && (isTerminal(body.type) || contradicts(fold.state, event.state))) return false;
  // INV-LEGAL: throws for a transition that the state table does not have.
  evolve(fold.state, body, event.at);
  foldAttempt(fold, stored, fold.state);
  fold.seq = seq;
  fold.state = event.state;
  return true;
}

/** @param before the state before the event; null where it is of an earlier batch */
function foldAttempt(fold: Fold, { event }: StoredEvent, before: TaskState | null): void {
  fold.times = timesAfter(fold.times, event.body, event.at);
  const over = attemptOver(event, before, fold.times);
  if (over !== null) fold.attempts.push(attemptRow({ tenant: fold.tenant, task: fold.id }, over));
}

function contradicts(ended: TaskState, next: TaskState): boolean {
  return next.status !== "erased" && next.status !== ended.status;
}

function intentOf({ event }: StoredEvent): TaskIntentRow | null {
  const { body } = event;
  return body.type === "submitted" || body.type === "blocked" ? taskIntentRow(body, event.at) : null;
}

function rowsOf(
  folds: ReadonlyMap<string, Fold>,
): Pick<Projection, "created" | "changed" | "attempts" | "erased"> {
  const created: (TaskStateRow & TaskIntentRow)[] = [];
  const changed: TaskStateRow[] = [];
  const attempts: AttemptRow[] = [];
  const erased: { tenant: string; id: string; subject: string }[] = [];
  for (const [subject, fold] of [...folds].sort(([, a], [, b]) => byTenantAndId(a, b))) {
    const { tenant, id, seq, state, times, intent } = fold;
    if (state.status === "absent") continue;
    if (state.status === "erased") {
      erased.push({ tenant, id, subject });
      continue;
    }
    const row = taskStateRow({ tenant, id, seq }, state, times);
    attempts.push(...fold.attempts);
    if (intent === null) changed.push(row);
    else created.push({ ...row, ...intent });
  }
  return { created, changed, attempts, erased };
}

function byTenantAndId(a: Fold, b: Fold): number {
  if (a.tenant !== b.tenant) return a.tenant < b.tenant ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
