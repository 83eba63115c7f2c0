/** One turn from `run_start` to `run_end`. Whatever the program does, the log is closed with an end and its reason. */
import type { Clock } from "../../kernel/clock.ts";
import type { AuditLog } from "../audit/auditLog.ts";
import { type Budgets, stepPolls } from "../budgets/budgets.ts";
import { ENGINE_NAME, loadEngine } from "../engine/engineModule.ts";
import type { GuestPool } from "../engine/guestPool.ts";
import type { Answer, Guest, GuestEnd, Question } from "../engine/guestThread.ts";
import { byteLength, type JsonObject, type JsonValue } from "../membrane/jsonText.ts";
import type { Redactor } from "../membrane/redaction.ts";
import { sha256 } from "../membrane/sha256.ts";
import { availabilityControls } from "./availability.ts";
import type { ExpectedEvents } from "./expectedEvents.ts";
import { packageMains } from "./moduleSurface.ts";
import { recordStart, type TurnStandpoint } from "./startRecords.ts";
import { stateObject } from "./stateSurface.ts";
import { answerQuestion } from "./surfaces.ts";
import { createToolCalls, type ToolCalls } from "./toolCalls.ts";
import type { CallJournal, HeldCall, TurnGrants, TurnState } from "./turnState.ts";

export interface TurnPlan {
  readonly source: string;
  /** As it stands in the program's stacks. */
  readonly sourceName: string;
  readonly context: JsonObject;
  readonly state: JsonObject;
  /** What `Date` shows during the turn, milliseconds since 1970. */
  readonly startMs: number;
  /** Of `Math.random`; an unsigned 32-bit number. */
  readonly seed: number;
  readonly budgets: Budgets;
  readonly grants: TurnGrants;
  readonly expected: ExpectedEvents;
  readonly standpoint: TurnStandpoint;
  /** The authority and identity part of `run_start`. */
  readonly described: JsonObject;
  /** Null for a run. */
  readonly durable: DurableTurn | null;
}

/** What makes a turn a tick of a job: the journal answers first, and what is answered goes into it. */
export interface DurableTurn {
  readonly replay: readonly (readonly [hash: string, answer: unknown])[];
  readonly restored: Pick<TurnState, "closed" | "events" | "calls" | "entries">;
  readonly journal: CallJournal;
  /** Before the guest runs: goes on with calls that are open. */
  start(turn: TurnState, calls: ToolCalls): void;
  answer(turn: TurnState, calls: ToolCalls, question: Question): Promise<Answer>;
}

export interface TurnOutcome {
  readonly status: "ok" | "error";
  readonly reason: GuestEnd["reason"] | "expected_events";
  readonly events: number;
  readonly calls: number;
  /** What was thrown, as the log has it; null unless the reason is `exception`. */
  readonly thrown: JsonObject | null;
  /** Calls that were refused because nobody has allowed them yet; a job waits instead, and has none. */
  readonly held: readonly HeldCall[];
  /** The question at which the program did something else than before. */
  readonly divergedAt: number | null;
}

export interface TurnPorts {
  readonly clock: Clock;
  readonly guests: GuestPool;
  readonly log: AuditLog;
  readonly redactor: Redactor;
  readonly onEvent: (event: JsonObject) => void;
  /** Writes records that belong right after `run_start`. */
  readonly afterStart?: () => void;
  /** Writes records that belong before `run_end`, such as the list of artifacts. */
  readonly beforeEnd: (log: AuditLog) => void;
}

/**
 * Runs a program to its end. A failure of the program is an outcome; what this throws is a failure of ours, such as a
 * log that cannot be written, and then the log has no end.
 */
export async function runTurn(ports: TurnPorts, plan: TurnPlan): Promise<TurnOutcome> {
  const thread = ports.guests.take({
    heapMbMax: plan.budgets.max_heap_mb,
    rssMbMax: plan.budgets.max_rss_mb,
  });
  try {
    const { end, turn } = await runGuest(ports, plan, thread);
    return close(turn, end, plan.standpoint.entryModule, ports.beforeEnd);
  } catch (error) {
    // The thread stands still for ever otherwise, and holds the process.
    await thread.discard();
    throw error;
  }
}

async function runGuest(
  ports: TurnPorts,
  plan: TurnPlan,
  thread: Guest,
): Promise<{ readonly end: GuestEnd; readonly turn: TurnState }> {
  const { log, redactor } = ports;
  const controls = availabilityControls(plan.budgets);
  const engine = await loadEngine();
  const turn: TurnState = {
    log,
    redactor,
    budgets: plan.budgets,
    grants: plan.grants,
    expected: plan.expected,
    controls,
    onEvent: ports.onEvent,
    journal: plan.durable?.journal ?? null,
    held: [],
    ...(plan.durable?.restored ?? {
      entries: new Map(Object.entries(plan.state)),
      closed: false,
      events: 0,
      calls: 0,
    }),
  };
  log.append("run_start", {
    ...plan.described,
    start_ms: plan.startMs,
    seed: plan.seed,
    agent_sha256: sha256(plan.source),
    engine: ENGINE_NAME,
    engine_sha256: engine.sha256,
    budgets: plan.budgets as unknown as JsonObject,
    availability_controls: controls,
    audit_redaction: { fields: redactor.fields, known_values: "redacted" },
  });
  recordStart(log, plan.grants.modules, plan.standpoint);
  ports.afterStart?.();
  const calls = createToolCalls(turn);
  plan.durable?.start(turn, calls);
  const scheduled = plan.durable !== null;
  const begin = { context: plan.context, start_ms: plan.startMs, seed: plan.seed, scheduled };
  const end = await thread.run(
    {
      begin: JSON.stringify(begin),
      source: plan.source,
      sourceName: plan.sourceName,
      packageMains: packageMains(plan.grants.modules),
      replay: plan.durable?.replay ?? [],
      microtasksMax: plan.budgets.max_microtasks,
      pollsMax: plan.budgets.max_steps === null ? null : stepPolls(plan.budgets.max_steps),
    },
    { timeoutMs: plan.budgets.timeout_ms },
    (question) =>
      plan.durable === null
        ? answerQuestion(turn, calls, question)
        : plan.durable.answer(turn, calls, question),
  );
  calls.end();
  return { end, turn };
}

function close(
  turn: TurnState,
  end: GuestEnd,
  entryModule: string | null,
  beforeEnd: (log: AuditLog) => void,
): TurnOutcome {
  const { log } = turn;
  const thrown = end.reason === "exception" ? exceptionOf(end.thrown) : null;
  if (thrown !== null && entryModule !== null) log.append("module_entry_error", { specifier: entryModule });
  if (thrown !== null) log.append("exception", thrown as Record<string, JsonValue>);
  log.append("availability_check", turn.controls);
  const authority =
    end.authority == null ? { skipped: "terminated" } : (JSON.parse(end.authority) as JsonObject);
  log.append("authority_check", authority);
  const state = stateObject(turn.entries);
  log.append("state_snapshot", { state, state_bytes: byteLength(JSON.stringify(state)) });
  beforeEnd(log);
  // What a suspended job still owes, it may pay in a later tick.
  const kept = end.reason !== null || turn.expected.end(log);
  const reason = kept ? end.reason : "expected_events";
  const status = reason === null || reason === "held" ? "ok" : "error";
  log.append("run_end", {
    status,
    // A turn that waits has not failed: the job goes on from here.
    reason: reason === "held" ? "suspended" : (reason ?? undefined),
    diverged_at: end.reason === "divergence" ? (end.replayed ?? null) : undefined,
    used: {
      events: turn.events,
      tool_calls: turn.calls,
      step_polls: end.polls ?? null,
      microtasks: end.microtasks ?? null,
      heap_bytes: end.heapBytes ?? null,
      ...(end.rssBytes === undefined ? {} : { rss_bytes: end.rssBytes }),
    },
    records: log.count() + 1,
    head: log.head(),
  });
  return {
    status,
    reason,
    events: turn.events,
    calls: turn.calls,
    thrown: thrown && turn.redactor.record(thrown),
    held: turn.held,
    divergedAt: end.reason === "divergence" ? (end.replayed ?? null) : null,
  };
}

/** Names that a program knows from elsewhere and that a compartment does not have. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^'?console'? is not defined/, "There is no console in a compartment: use emit({…})."],
  [
    /^'?(setTimeout|setInterval)'? is not defined/,
    "There are no timers in a compartment: a scheduled job has scheduler.sleep(ms).",
  ],
  [
    /^'?(fetch|require|process)'? is not defined/,
    "Nothing is ambient in a compartment: grant a tool and use callTool(name, args).",
  ],
];

function exceptionOf(text: string | null | undefined): JsonObject {
  if (text == null) return { name: "thrown", message: "a value that cannot be shown" };
  const thrown = JSON.parse(text) as Record<string, JsonValue>;
  const hint = HINTS.find(([pattern]) => pattern.test(String(thrown.message)))?.[1];
  return hint === undefined ? thrown : { ...thrown, hint };
}
