import type { StoredMsg } from "nats";
import { decodeTaskEvent, encodeTaskEvent, type TaskEvent } from "../../../schemas/taskEvents.ts";
import { ledgerStream } from "../../../streams/streams.ts";
import { subjects } from "../../../streams/subjects.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/refusal.ts";
import { decide } from "../../domain/task/decide.ts";
import { evolve } from "../../domain/task/evolve.ts";
import type { TaskCommand, TaskPolicy } from "../../domain/task/taskCommand.ts";
import type { TaskEventBody } from "../../domain/task/taskEvent.ts";
import {
  absentTask,
  type CarriedTask,
  type ErasedTask,
  type TaskState,
} from "../../domain/task/taskState.ts";
import { whoDecides } from "../../domain/task/whoDecides.ts";
import type { Clock } from "../clock.ts";
import { invariant, Retryable } from "../errors.ts";
import { type Meter, noMeter } from "../metrics/metrics.ts";
import type { Nats } from "../nats/connectNats.ts";
import { childSpan, inSpan, noTracer, type Tracer } from "../tracing/tracer.ts";
import { appendEvent, getNextOf, isNoMessage } from "./appendEvent.ts";
import { countAppend } from "./countAppend.ts";
import { appendThatCounts, expectedOf, isOvertaken, lastByWalking, removeOvertaken } from "./overtaken.ts";
import { type PlacedEvent, readHistory } from "./readHistory.ts";
import type { WriteGate } from "./writeGate.ts";

export interface TaskKey {
  readonly tenant: string;
  readonly task: string;
}

/** A task's state and the sequence of the event that carries it; sequence 0 for a task that is not there. */
export interface TaskVersion {
  readonly state: TaskState;
  readonly seq: number;
  /** What the server takes for that sequence, where it takes another: see `overtaken.ts`. */
  readonly place?: number;
}

/** What an executed command left behind: the state now, and the events it added. */
export interface Executed extends TaskVersion {
  readonly events: readonly TaskEvent[];
}

export interface TaskLedger {
  /** The newest state, from the leader. */
  load(key: TaskKey): Promise<TaskVersion>;
  /** The task's first event, which holds its spec; null when there is none (erased, or never was). */
  first(key: TaskKey): Promise<TaskEvent | null>;
  /** The task's events, oldest first, at most `max`: one read each, so for a task or two and not for lists. */
  history(key: TaskKey, max: number): Promise<readonly PlacedEvent[]>;
  /**
   * Decides `command` on the newest state and appends what follows, deciding again when somebody was faster.
   * @param seen a state known from following the ledger: saves a read. A refusal is never given on it alone.
   * @param within `traceparent` of what decides, in the task's trace; null: the submit's own
   * @param only decide on this sequence of the task's last event alone: refused with `PRECONDITION_FAILED`
   *   when there is another by now
   * @throws Retryable `LEDGER_UNAVAILABLE`, `LEDGER_BUSY`, `LEDGER_REGRESSED`
   */
  execute(
    key: TaskKey,
    command: TaskCommand,
    seen?: TaskVersion | null,
    only?: number,
    within?: string | null,
  ): Promise<Executed | Refusal>;
}

/** Somebody else was faster this many times in a row: more is not contention but a fault. */
const CONFLICTS_MAX = 20;

export function createTaskLedger(ports: {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly policy: TaskPolicy;
  readonly gate: WriteGate;
  readonly shard: number;
  /** The ledger's stream is kept by a cluster: see `overtaken.ts`. */
  readonly replicated?: boolean;
  readonly meter?: Meter;
  readonly tracer?: Tracer;
}): TaskLedger {
  const { nats, clock, policy, gate, replicated = false, meter = noMeter, tracer = noTracer } = ports;
  const stream = ledgerStream(ports.shard);
  const appendOnce = replicated ? appendThatCounts : appendEvent;
  const subjectOf = (key: TaskKey) => subjects.ledger({ tenant: key.tenant, kind: "task", id: key.task });

  async function load(key: TaskKey): Promise<TaskVersion> {
    const message = await read(key, () => newestThatCounts(subjectOf(key)));
    if (message === null) return replicated ? loadByWalking(key) : { state: absentTask, seq: 0 };
    return { state: decodeTaskEvent(message.data).state, seq: message.seq };
  }

  async function loadByWalking(key: TaskKey): Promise<TaskVersion> {
    const message = await read(key, async () => {
      for (;;) {
        const last = await lastByWalking(nats.jsm, stream, subjectOf(key));
        if (last === null) return null;
        const place = { subject: last.subject, seq: last.seq, expected: expectedOf(last.header) };
        if (!(await isOvertaken(nats.jsm, stream, place))) return last;
        await removeOvertaken(nats.jsm, stream, last.seq);
      }
    });
    if (message === null) return { state: absentTask, seq: 0 };
    return { state: decodeTaskEvent(message.data).state, seq: message.seq, place: 0 };
  }

  async function newestThatCounts(subject: string): Promise<StoredMsg> {
    for (;;) {
      const message = await nats.jsm.streams.getMessage(stream, { last_by_subj: subject });
      const place = { subject, seq: message.seq, expected: expectedOf(message.header) };
      if (!replicated || !(await isOvertaken(nats.jsm, stream, place))) return message;
      await removeOvertaken(nats.jsm, stream, message.seq);
    }
  }

  async function first(key: TaskKey): Promise<TaskEvent | null> {
    const message = await read(key, () => getNextOf(nats.jsm, stream, subjectOf(key), 1));
    return message === null ? null : decodeTaskEvent(message.data);
  }

  function history(key: TaskKey, max: number): Promise<readonly PlacedEvent[]> {
    const next = (seq: number) => read(key, () => getNextOf(nats.jsm, stream, subjectOf(key), seq));
    return readHistory(next, max);
  }

  async function read(key: TaskKey, get: () => Promise<StoredMsg | null>): Promise<StoredMsg | null> {
    try {
      return await get();
    } catch (error) {
      if (isNoMessage(error)) return null;
      throw new Retryable("LEDGER_UNAVAILABLE", `the ledger cannot be read for task ${key.task}`, {
        cause: error,
      });
    }
  }

  async function execute(
    key: TaskKey,
    command: TaskCommand,
    seen?: TaskVersion | null,
    only?: number,
    within: string | null = null,
  ): Promise<Executed | Refusal> {
    // What a ledger that lost events says of a task is no ground for a decision, not even for a refusal.
    await gate.open();
    let version = seen ?? startOf(command) ?? (await load(key));
    let fromLeader = seen == null && startOf(command) === null;
    const events: TaskEvent[] = [];
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; ) {
      if (only !== undefined && events.length === 0 && version.seq !== only) return movedOn();
      const decision = decide(version.state, command, policy);
      if (isRefusal(decision) && fromLeader && gate.state === "open") return decision;
      const done = isRefusal(decision)
        ? null
        : await appendAll({ key, command, within }, version, decision, events);
      if (done !== null) return done;
      if (!isRefusal(decision)) conflicts++;
      await gate.open();
      version = await load(key);
      fromLeader = true;
    }
    throw new Retryable("LEDGER_BUSY", `task ${key.task} kept changing while a ${command.kind} was decided`);
  }

  /** Adds to `events` what it appended. @returns null when somebody else appended first */
  async function appendAll(
    of: { readonly key: TaskKey; readonly command: TaskCommand; readonly within: string | null },
    from: TaskVersion,
    bodies: readonly TaskEventBody[],
    events: TaskEvent[],
  ): Promise<Executed | null> {
    const { key, command, within } = of;
    let version = from;
    for (const body of bodies) {
      // Counted over all tries: an id that was appended is never given to another event.
      const id = events.length === 0 ? command.id : `${command.id}-${events.length + 1}`;
      const state = evolve(version.state, body, command.at) as CarriedTask | ErasedTask;
      const submitted = traceOf(state) ?? traceOf(version.state);
      const span = childSpan(tracer, `append ${body.type}`, {
        parent: within ?? submitted,
        kind: "producer",
        attributes: { "cazi.task": key.task, "cazi.tenant": key.tenant },
      });
      const event: TaskEvent = {
        id,
        at: command.at,
        tenant: key.tenant,
        task: key.task,
        // A first event says in whose trace the task is; each later one, what wrote it.
        traceparent: version.seq === 0 ? submitted : (span.traceparent ?? submitted),
        by: whoDecides(command, version.state),
        body,
        state,
      };
      await gate.open();
      const known = gate.newest;
      const subject = subjectOf(key);
      const bytes = encodeTaskEvent(event);
      const { seq: expected, place } = version;
      const append = {
        stream,
        subject,
        expected,
        eventId: id,
        bytes,
        ...(place === undefined ? {} : { place }),
      };
      const done = await inSpan(span, () =>
        countAppend({ meter, clock }, body, () => appendOnce(nats, append, clock, meter, gate.open)),
      );
      // The rest is decided again on what is there: it says again what is missing.
      if (done.result === "conflict") return null;
      invariant(done.seq > version.seq, "a subject's sequences grow");
      if (done.seq <= known) await lookAgain();
      gate.wrote({ seq: done.seq, eventId: id });
      version = { state, seq: done.seq };
      events.push(event);
    }
    return { ...version, events };
  }

  /** An event got a sequence that was another's: the stream was cut or made anew on this very connection. */
  async function lookAgain(): Promise<void> {
    gate.close();
    await gate.open();
  }

  return { load, first, history, execute };
}

/** The trace that a task was submitted in; a tombstone has none of its own. */
function traceOf(state: TaskState): string | null {
  return "traceparent" in state ? state.traceparent : null;
}

/** Somebody else has changed the task since the caller looked at it. */
export function movedOn(): Refusal {
  return refuse("PRECONDITION_FAILED", "The task has moved on since it was looked at; nothing was changed.", {
    hint: "Read the task again and decide anew, or leave out If-Match.",
  });
}

/** A new task starts from nothing: the expectation 0 is the check, so no read is needed before it. */
function startOf(command: TaskCommand): TaskVersion | null {
  return command.kind === "submit" ? { state: absentTask, seq: 0 } : null;
}
