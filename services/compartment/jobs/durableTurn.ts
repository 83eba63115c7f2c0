/**
 * A tick's turn: what the journal has is answered by the guest's own thread; from there on each answer is in the journal
 * before the program gets it. To suspend is not to answer: nothing of the program runs after it, and nothing can catch it.
 */
import { randomBytes } from "node:crypto";
import type { AuditLog } from "../audit/auditLog.ts";
import type { Answer, Question } from "../engine/guestThread.ts";
import { answerPromise, completionValue } from "../membrane/answers.ts";
import { byteLength, type JsonValue, plainCopy } from "../membrane/jsonText.ts";
import type { DurableTurn } from "../turn/runTurn.ts";
import { answerQuestion } from "../turn/surfaces.ts";
import type { ToolCalls } from "../turn/toolCalls.ts";
import { refuseBudget, refuseClosed, type TurnState } from "../turn/turnState.ts";
import { type Await, type JournalEntry, type JournalState, questionHash } from "./journalEntry.ts";
import type { JournalFile } from "./journalFile.ts";

const SLEEP_MS_MAX = 86_400_000;

/** The id of a durable promise; those of tool calls are their numbers, from 0 up. */
const awaitId = (position: number) => -1 - position;

export interface DurablePorts {
  readonly journal: JournalFile;
  readonly log: () => AuditLog;
  readonly nowMs: () => number;
  /** Called after each thing that is on the disk. Whatever dies here must find its way back. */
  readonly stepDone: () => void;
}

export interface TickTurn extends DurableTurn {
  openAwaits(): readonly Await[];
}

export function durableTurn(
  ports: DurablePorts,
  state: JournalState,
  recorded: ReadonlySet<string>,
): TickTurn {
  const awaits = new Map(state.awaits.map((one) => [one.id, one]));
  let position = state.replay.length;
  const write = (entry: JournalEntry, sync: boolean) => {
    ports.journal.append(entry);
    if (sync) ports.journal.sync();
    ports.stepDone();
  };
  const durableOps = { awaits, state, nowMs: ports.nowMs, position: () => position };
  return {
    replay: state.replay,
    restored: { ...state.counters, entries: state.entries },
    openAwaits: () => [...awaits.values()],
    journal: {
      position: () => position,
      recorded: (type) => recorded.has(`${type} ${position}`),
      resolution: (call) => state.resolutions.get(call) ?? null,
      intent(call, repeatable) {
        ports.log().sync();
        write({ t: "intent", ...call, repeatable }, true);
      },
      result(call, completion) {
        ports.log().sync();
        write({ t: "result", call, completion }, true);
      },
    },
    start(_turn, calls) {
      for (const { call, completion } of state.openCalls) calls.reopen(call, completion);
    },
    async answer(turn, calls, question) {
      const callsBefore = turn.calls;
      const answer = await answerDurable(turn, calls, question, durableOps);
      if ("held" in answer) {
        // What is under way ends first, so that its outcome is known when the job goes on.
        await calls.allDone();
        return answer;
      }
      const { opened, ...given } = answer;
      if (opened !== undefined) awaits.set(opened.id, opened);
      const called = turn.calls > callsBefore;
      write(entryOf(turn, question, given.value as JsonValue, opened, called), called);
      position++;
      return given;
    },
  };
}

function entryOf(
  turn: TurnState,
  question: Question,
  answer: JsonValue,
  opened: Await | undefined,
  called: boolean,
): JournalEntry {
  const [op, a, b] = question;
  const changed =
    ["state_set", "state_delete", "state_reset"].includes(op) && answer !== null && isTaken(answer);
  return {
    t: "answer",
    op,
    q: questionHash(question),
    a: answer,
    counters: { events: turn.events, calls: turn.calls, closed: turn.closed },
    ...(changed ? { state: [op, a, b] as const } : {}),
    ...(op === "emit" && turn.expected.kinds.length > 0 ? { expected: turn.expected.standing() } : {}),
    ...(opened === undefined ? {} : { await: opened }),
    ...(called && typeof answer === "string" && answer.startsWith('["p",')
      ? { promised: turn.calls - 1 }
      : {}),
  };
}

function isTaken(answer: JsonValue): boolean {
  return typeof answer === "string" && !answer.startsWith('["e",');
}

type DurableAnswer = Answer & { readonly opened?: Await };

interface DurableOps {
  readonly awaits: Map<number, Await>;
  readonly state: JournalState;
  readonly nowMs: () => number;
  readonly position: () => number;
}

async function answerDurable(
  turn: TurnState,
  calls: ToolCalls,
  question: Question,
  ops: DurableOps,
): Promise<DurableAnswer> {
  const [op, a, b] = question;
  switch (op) {
    case "sleep":
      return openTimer(turn, a, ops);
    case "input":
      return openInput(turn, a, ops);
    case "durable_call": {
      const answer = await calls.call(a, b, { asPromise: true });
      return answer === null ? { held: true } : { value: answer };
    }
    case "idle":
      return idle(calls, ops);
    default:
      return answerQuestion(turn, calls, question);
  }
}

function openTimer(turn: TurnState, text: string, ops: DurableOps): DurableAnswer {
  const refused = refuseClosed(turn, "scheduler.sleep");
  if (refused !== null) return { value: refused };
  const ms = JSON.parse(text) as number;
  if (ms < 0 || ms > SLEEP_MS_MAX) {
    return {
      value: refuseBudget(turn, { budget: "scheduler_sleep_ms", limit: SLEEP_MS_MAX, attempted: ms }),
    };
  }
  const opened: Await = { id: awaitId(ops.position()), kind: "timer", due_ms: ops.nowMs() + ms };
  turn.log.append("scheduler_await", { kind: "timer", due_ms: opened.due_ms });
  return { value: answerPromise(opened.id), opened };
}

function openInput(turn: TurnState, text: string, ops: DurableOps): DurableAnswer {
  const refused = refuseClosed(turn, "scheduler.waitForInput");
  if (refused !== null) return { value: refused };
  const limit = turn.budgets.max_tool_arg_bytes;
  if (byteLength(text) > limit) {
    return { value: refuseBudget(turn, { budget: "tool_arg_bytes", limit, attempted: byteLength(text) }) };
  }
  const request = plainCopy(JSON.parse(text) as JsonValue);
  const token = randomBytes(16).toString("hex");
  const opened: Await = { id: awaitId(ops.position()), kind: "input", token, request };
  // The token is a key: it is shown by `schedule status`, and never in the log.
  turn.log.append("scheduler_await", { kind: "input", request });
  return { value: answerPromise(opened.id), opened };
}

/** What is due goes first, then what a tool gives; with nothing but waiting left, the turn is suspended. */
async function idle(calls: ToolCalls, ops: DurableOps): Promise<DurableAnswer> {
  const due = nextDue([...ops.awaits.values()], ops.state.inputs, ops.nowMs());
  if (due !== null) {
    ops.awaits.delete(due.id);
    const value = due.kind === "timer" ? "null" : JSON.stringify(ops.state.inputs.get(due.id));
    return { value: completionValue(due.id, value) };
  }
  if (calls.hasOpen()) return { value: await calls.nextCompletion() };
  return ops.awaits.size > 0 ? { held: true } : { value: null };
}

/** The await that is fulfilled first: an input that came, or the timer that was due earliest. Pure. */
export function nextDue(
  awaits: readonly Await[],
  inputs: ReadonlyMap<number, JsonValue>,
  nowMs: number,
): Await | null {
  const input = awaits.find((one) => one.kind === "input" && inputs.has(one.id));
  if (input !== undefined) return input;
  const timers = awaits.filter((one) => one.kind === "timer").filter(({ due_ms }) => due_ms <= nowMs);
  return timers.sort((a, b) => a.due_ms - b.due_ms || b.id - a.id)[0] ?? null;
}
