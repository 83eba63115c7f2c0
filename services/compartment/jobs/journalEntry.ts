/** What a job's journal holds, in the order of delivery to the program, and what it comes to. Pure. */
import { createHash } from "node:crypto";
import type { GuestFailure } from "../membrane/answers.ts";
import { type JsonValue, plainCopy } from "../membrane/jsonText.ts";
import type { EventStanding } from "../turn/expectedEvents.ts";
import type { JournaledCall } from "../turn/turnState.ts";

export type Await =
  | { readonly id: number; readonly kind: "timer"; readonly due_ms: number }
  | { readonly id: number; readonly kind: "input"; readonly token: string; readonly request: JsonValue };

export type JournalEntry =
  /** A question of the program and what it was answered. */
  | {
      readonly t: "answer";
      readonly op: string;
      /** SHA-256 of the question. */
      readonly q: string;
      readonly a: JsonValue;
      readonly counters: Counters;
      /** A change of the state, to be made again: operation, key and value as JSON texts. */
      readonly state?: readonly [op: string, key: string, value: string];
      /** After an event, where events are expected. */
      readonly expected?: EventStanding;
      /** Opened by this question. */
      readonly await?: Await;
      /** The call of this question, when its answer is a promise. */
      readonly promised?: number;
    }
  /** On the disk before the effect. */
  | ({ readonly t: "intent"; readonly repeatable: boolean } & JournaledCall)
  /** The outcome of a promise's call, before it is handed over. */
  | { readonly t: "result"; readonly call: number; readonly completion: string }
  | { readonly t: "input"; readonly id: number; readonly value: JsonValue }
  | { readonly t: "resolution"; readonly call: number; readonly is: Resolution };

export type Resolution = "retry" | { readonly json: string } | { readonly failure: GuestFailure };

export interface Counters {
  readonly events: number;
  readonly calls: number;
  readonly closed: boolean;
}

export interface JournalState {
  readonly counters: Counters;
  readonly entries: Map<string, JsonValue>;
  /** Of the events that are expected; null before the first event. */
  readonly expected: EventStanding | null;
  readonly replay: readonly (readonly [hash: string, answer: unknown])[];
  /** Open awaits in the order that they were opened. */
  readonly awaits: readonly Await[];
  readonly inputs: ReadonlyMap<number, JsonValue>;
  /** Promises' calls that the program was not told of yet, with their outcome where it is known. */
  readonly openCalls: readonly { readonly call: JournaledCall; readonly completion: string | null }[];
  /** Calls that began and of whose outcome nothing is known; a person must say. */
  readonly unknown: readonly JournaledCall[];
  readonly resolutions: ReadonlyMap<number, Resolution>;
}

export function questionHash(question: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(question)).digest("hex");
}

export function foldJournal(
  journal: readonly JournalEntry[],
  initial: ReadonlyMap<string, JsonValue>,
): JournalState {
  const fold = {
    counters: { events: 0, calls: 0, closed: false } as Counters,
    entries: new Map(initial),
    expected: null as EventStanding | null,
    replay: [] as [string, unknown][],
    awaits: new Map<number, Await>(),
    inputs: new Map<number, JsonValue>(),
    intents: new Map<number, Extract<JournalEntry, { t: "intent" }>>(),
    promised: new Set<number>(),
    results: new Map<number, string>(),
    resolutions: new Map<number, Resolution>(),
  };
  for (const entry of journal) {
    switch (entry.t) {
      case "answer":
        foldAnswer(fold, entry);
        break;
      case "intent":
        fold.intents.set(entry.call, entry);
        // An effect that begins again is unknown again.
        if (fold.resolutions.get(entry.call) === "retry") fold.resolutions.delete(entry.call);
        break;
      case "result":
        fold.results.set(entry.call, entry.completion);
        break;
      case "input":
        fold.inputs.set(entry.id, entry.value);
        break;
      case "resolution":
        fold.resolutions.set(entry.call, entry.is);
        break;
    }
  }
  const begun = [...fold.intents.values()];
  const known = (call: number) => fold.results.has(call) || fold.resolutions.has(call);
  return {
    counters: fold.counters,
    entries: fold.entries,
    expected: fold.expected,
    replay: fold.replay,
    awaits: [...fold.awaits.values()],
    inputs: fold.inputs,
    openCalls: begun
      .filter(({ call }) => fold.promised.has(call))
      .map((intent) => ({ call: callOf(intent), completion: fold.results.get(intent.call) ?? null })),
    unknown: begun.filter(({ call, repeatable }) => !repeatable && !known(call)).map(callOf),
    resolutions: fold.resolutions,
  };
}

function foldAnswer(
  fold: {
    counters: Counters;
    readonly entries: Map<string, JsonValue>;
    expected: EventStanding | null;
    readonly replay: [string, unknown][];
    readonly awaits: Map<number, Await>;
    readonly intents: Map<number, unknown>;
    readonly promised: Set<number>;
  },
  entry: Extract<JournalEntry, { t: "answer" }>,
): void {
  // A synchronous call that was answered is over.
  const calledNow = entry.counters.calls - 1;
  if (entry.counters.calls > fold.counters.calls && entry.promised === undefined)
    fold.intents.delete(calledNow);
  fold.counters = entry.counters;
  fold.expected = entry.expected ?? fold.expected;
  fold.replay.push([entry.q, entry.a]);
  if (entry.await !== undefined) fold.awaits.set(entry.await.id, entry.await);
  if (entry.promised !== undefined) fold.promised.add(entry.promised);
  if (entry.op === "idle" && typeof entry.a === "string") {
    const [id] = JSON.parse(entry.a) as [number];
    fold.awaits.delete(id);
    fold.promised.delete(id);
    fold.intents.delete(id);
  }
  if (entry.state === undefined) return;
  const [op, key, value] = entry.state;
  if (op === "state_reset") fold.entries.clear();
  else if (op === "state_delete") fold.entries.delete(JSON.parse(key) as string);
  else fold.entries.set(JSON.parse(key) as string, plainCopy(JSON.parse(value) as JsonValue));
}

function callOf({ call, tool, args }: JournaledCall): JournaledCall {
  return { call, tool, args };
}
