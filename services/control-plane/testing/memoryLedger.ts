/**
 * The ledger's contract in memory, for tests of the API alone: the same decisions, no server. The integration
 * tests run the same behaviour on the real one.
 */
import type { TaskEvent } from "../../../schemas/taskEvents.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { decide } from "../../domain/task/decide.ts";
import { evolve } from "../../domain/task/evolve.ts";
import type { TaskPolicy } from "../../domain/task/taskCommand.ts";
import { absentTask, type CarriedTask, type ErasedTask } from "../../domain/task/taskState.ts";
import { whoDecides } from "../../domain/task/whoDecides.ts";
import { movedOn, type TaskKey, type TaskLedger } from "../../kernel/ledger/taskLedger.ts";

export const testPolicy: TaskPolicy = {
  claimLimitMs: 1_000,
  startLimitMs: 1_000,
  stopGraceMs: 1_000,
  dueMarginMs: 1_000,
};

export interface MemoryLedger extends TaskLedger {
  /** All events, oldest first. */
  readonly events: readonly (TaskEvent & { readonly seq: number })[];
  /** Calls back after each appended event. */
  onAppend(callback: (event: TaskEvent) => void): void;
}

export function createMemoryLedger(): MemoryLedger {
  const events: (TaskEvent & { seq: number })[] = [];
  const callbacks: ((event: TaskEvent) => void)[] = [];
  const of = (key: TaskKey) => events.filter((one) => one.tenant === key.tenant && one.task === key.task);
  const version = (key: TaskKey) => {
    const last = of(key).at(-1);
    return last ? { state: last.state, seq: last.seq } : { state: absentTask, seq: 0 };
  };
  return {
    events,
    onAppend: (callback) => callbacks.push(callback),
    load: async (key) => version(key),
    first: async (key) => {
      const all = of(key);
      return all.at(-1)?.body.type === "erased" ? null : (all[0] ?? null);
    },
    history: async (key, max) =>
      of(key)
        .slice(0, max)
        .map((event) => ({ seq: event.seq, event })),
    execute: async (key, command, _seen, only) => {
      if (only !== undefined && version(key).seq !== only) return movedOn();
      const decidedOn = version(key).state;
      const decision = decide(decidedOn, command, testPolicy);
      if (isRefusal(decision)) return decision;
      const added = decision.map((body, index) => {
        const state = evolve(version(key).state, body, command.at) as CarriedTask | ErasedTask;
        const id = index === 0 ? command.id : `${command.id}-${index + 1}`;
        const traceparent = state.status === "erased" ? null : state.traceparent;
        const by = whoDecides(command, decidedOn);
        const event = { id, at: command.at, ...key, traceparent, by, body, state, seq: events.length + 1 };
        events.push(event);
        return event;
      });
      for (const event of added) for (const callback of callbacks) callback(event);
      return { ...version(key), events: added };
    },
  };
}
