/** One tick of a job: re-execute from the journal, go on until the program waits or ends, write down where it stands. */
import { join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { Rejection } from "../../kernel/errors.ts";
import { readApprovals } from "../approvals/approvalLog.ts";
import { createGate } from "../approvals/createGate.ts";
import { decideApproval } from "../approvals/decideApproval.ts";
import { type AuditLog, createAuditLog } from "../audit/auditLog.ts";
import type { GuestPool } from "../engine/guestPool.ts";
import { takeFileLock } from "../locks/fileLock.ts";
import type { JsonObject } from "../membrane/jsonText.ts";
import { createRedactor } from "../membrane/redaction.ts";
import { admitModules } from "../policy/admitModules.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import { readSource } from "../policy/readSource.ts";
import { createTools } from "../tools/createTools.ts";
import type { ToolPorts } from "../tools/toolPorts.ts";
import type { ApprovalGate } from "../turn/approvalGate.ts";
import { describeRun } from "../turn/describeRun.ts";
import { expectEvents } from "../turn/expectedEvents.ts";
import { programOf } from "../turn/runAgent.ts";
import { runTurn, type TurnOutcome } from "../turn/runTurn.ts";
import { durableTurn, nextDue } from "./durableTurn.ts";
import {
  auditLogPath,
  eventsOfDeadTicks,
  journalPath,
  pinsOf,
  policySha256Now,
  readConfig,
} from "./jobFolder.ts";
import { foldJournal, type JournalState } from "./journalEntry.ts";
import { type JournalFile, openJournal, refuseOtherJournal } from "./journalFile.ts";
import {
  finalStatuses,
  type HeldApproval,
  type JobManifest,
  type JobStatus,
  readManifest,
  writeManifest,
} from "./manifest.ts";

export interface TickPorts {
  readonly clock: Clock;
  readonly guests: GuestPool;
  readonly tools: Omit<ToolPorts, "nowMs">;
  readonly secretsOf: (config: AgentConfig) => readonly string[];
  readonly onEvent: (event: JsonObject) => void;
  readonly stepDone: () => void;
}

export interface TickResult {
  readonly manifest: JobManifest;
  /** False: nothing was due and nothing ran. */
  readonly ready: boolean;
  readonly outcome: TurnOutcome | null;
}

/** @throws Rejection `JOB_BUSY`, `JOB_NOT_TICKABLE`, `JOB_PINS_CHANGED`, `JOURNAL_REFUSED` and those of the inputs */
export async function tickJob(ports: TickPorts, folder: string): Promise<TickResult> {
  return withJob(folder, async (manifest, journal) => {
    refuseStatus(manifest);
    const config = readConfig(folder);
    const modules = admitModules(config);
    const program = programOf(config, modules);
    const now = await pinsOf(config, program, modules);
    refusePins(manifest.pins, { ...now, policy: policySha256Now(config, readSource) });
    const state = foldJournal(journal.entries, new Map(Object.entries(config.state)));
    if (state.unknown.length > 0) {
      const waiting = update(manifest, ports.clock, { status: "awaiting_operator", unknown: state.unknown });
      writeManifest(folder, waiting);
      return { manifest: waiting, ready: false, outcome: null };
    }
    if (!isReady(manifest, state, config, ports.clock.now()))
      return { manifest, ready: false, outcome: null };
    const turnsMax = config.budgets.max_scheduler_turns;
    if (turnsMax !== null && manifest.turn_cursor >= turnsMax) {
      const expired = update(manifest, ports.clock, {
        status: "expired",
        reason: "max_scheduler_turns",
        awaits: [],
      });
      writeManifest(folder, expired);
      return { manifest: expired, ready: true, outcome: null };
    }
    return runTick(ports, { folder, manifest, journal, state, config, modules, program });
  });
}

/** Works on a job alone: two ticks at once cannot both run. */
export async function withJob<T>(
  folder: string,
  work: (manifest: JobManifest, journal: JournalFile) => Promise<T>,
): Promise<T> {
  readManifest(folder);
  const unlock = takeFileLock(join(folder, "lock"));
  if (unlock === null) throw new Rejection("JOB_BUSY", "Another process is at work on this job.");
  let journal: JournalFile | null = null;
  try {
    const manifest = readManifest(folder);
    journal = openJournal(journalPath(folder));
    refuseOtherJournal(manifest.journal, journal.headAt);
    return await work(manifest, journal);
  } finally {
    journal?.close();
    unlock();
  }
}

function refuseStatus({ status }: JobManifest): void {
  const refused = [...finalStatuses, "awaiting_input", "awaiting_operator"] as readonly JobStatus[];
  if (!refused.includes(status)) return;
  const hints: Partial<Record<JobStatus, string>> = {
    awaiting_input: "`cazi agent schedule input` gives it; `schedule status` shows the token.",
    awaiting_operator: "`cazi agent schedule resolve` says what came of the call.",
  };
  const hint = hints[status];
  throw new Rejection(
    "JOB_NOT_TICKABLE",
    `A job that is ${status} has no tick.`,
    hint === undefined ? {} : { hint },
  );
}

function refusePins(pinned: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): void {
  const changed = Object.keys(pinned).filter((name) => pinned[name] !== now[name]);
  if (changed.length === 0) return;
  throw new Rejection(
    "JOB_PINS_CHANGED",
    `The ${changed.join(" and the ")} is not the one that the job began with.`,
    {
      hint: "Put it back, or start a new job.",
    },
  );
}

function isReady(manifest: JobManifest, state: JournalState, config: AgentConfig, nowMs: number): boolean {
  if (manifest.status === "created" || manifest.status === "running") return true;
  if (state.openCalls.length > 0 || nextDue(state.awaits, state.inputs, nowMs) !== null) return true;
  const held = manifest.awaits.find((one): one is HeldApproval => one.kind === "approval");
  if (held === undefined) return manifest.awaits.length === 0;
  const entries = readApprovals(config.approval_log!.path);
  const of = { nowMs, maxAgeMs: config.approval_max_age_ms };
  return ["granted", "denied"].includes(decideApproval(entries, held.approval_id, of).state);
}

interface Tick {
  readonly folder: string;
  readonly manifest: JobManifest;
  readonly journal: JournalFile;
  readonly state: JournalState;
  readonly config: AgentConfig;
  readonly modules: ReturnType<typeof admitModules>;
  readonly program: ReturnType<typeof programOf>;
}

async function runTick(ports: TickPorts, tick: Tick): Promise<TickResult> {
  const { folder, config, journal, state } = tick;
  const recorded = tick.manifest.status === "running" ? eventsOfDeadTicks(folder) : new Set<string>();
  const number = tick.manifest.turn_cursor + 1;
  const runId = `${tick.manifest.job_id}/turn-${number}`;
  const running = update(tick.manifest, ports.clock, {
    status: "running",
    turn_cursor: number,
    active_turn_id: runId,
    awaits: [],
  });
  writeManifest(folder, running);
  ports.stepDone();
  const toolSet = createTools(config, { ...ports.tools, nowMs: () => ports.clock.now() });
  const redactor = createRedactor({ fields: config.redact_fields, secrets: ports.secretsOf(config) });
  const startedMs = ports.clock.monotonicMs();
  const log = steppedLog(
    ports.stepDone,
    createAuditLog({
      path: auditLogPath(folder, number),
      runId,
      redactor,
      elapsedMs: () => ports.clock.monotonicMs() - startedMs,
    }),
  );
  const held: HeldApproval[] = [];
  const gate = heldGate(createJobGate(ports, tick, redactor), held);
  const turn = durableTurn(
    { journal, log: () => log, nowMs: () => ports.clock.now(), stepDone: ports.stepDone },
    state,
    recorded,
  );
  const described = describeRun({ runId, config, modules: tick.modules, snapshot: toolSet.snapshot });
  try {
    const outcome = await runTurn(
      {
        clock: ports.clock,
        guests: ports.guests,
        log,
        redactor,
        onEvent: ports.onEvent,
        beforeEnd: () => recordEnd(log, toolSet.artifacts.written, held),
      },
      {
        source: tick.program.text,
        sourceName: tick.program.name,
        context: config.context,
        state: config.state,
        startMs: running.start_ms,
        seed: running.seed,
        budgets: config.budgets,
        expected: await expectEvents(config.expected_events, state.expected),
        grants: { tools: toolSet.tools, modules: tick.modules, gate },
        standpoint: { worker: config.worker, entryModule: tick.program.entryModule },
        described: { ...described, job_id: running.job_id, resumed_from: state.replay.length },
        durable: turn,
      },
    );
    journal.sync();
    log.sync();
    const ended = ending(ports, running, journal, outcome, [...turn.openAwaits(), ...held], log);
    writeManifest(folder, ended);
    return { manifest: ended, ready: true, outcome };
  } finally {
    log.close();
  }
}

function steppedLog(stepDone: () => void, log: AuditLog): AuditLog {
  return {
    ...log,
    append(type, fields) {
      log.append(type, fields);
      stepDone();
    },
  };
}

function createJobGate(
  ports: TickPorts,
  tick: Tick,
  redactor: ReturnType<typeof createRedactor>,
): ApprovalGate {
  return createGate({
    config: tick.config,
    // The job, not the turn: an approval is for the call, whichever tick makes it.
    runId: tick.manifest.job_id,
    agentSha256: tick.program.sha256,
    nowMs: () => ports.clock.now(),
    redactor,
  });
}

/** Keeps what the gate did not let through yet, for the manifest. */
function heldGate(gate: ApprovalGate, held: HeldApproval[]): ApprovalGate {
  return {
    holds: gate.holds,
    decide(call) {
      const verdict = gate.decide(call);
      if (verdict.record === "tool_approval_pending" || verdict.record === "tool_approval_stale") {
        const approval_id = verdict.fields.approval_id as string;
        held.push({ kind: "approval", approval_id, tool: call.tool, call: call.callIndex });
      }
      return verdict;
    },
  };
}

function recordEnd(log: AuditLog, artifacts: readonly JsonObject[], held: readonly HeldApproval[]): void {
  if (artifacts.length > 0) log.append("run_artifact_manifest", { artifacts });
  for (const one of held) log.append("scheduler_await", { ...one });
}

function ending(
  ports: TickPorts,
  running: JobManifest,
  journal: JournalFile,
  outcome: TurnOutcome,
  awaits: JobManifest["awaits"],
  log: AuditLog,
): JobManifest {
  const suspended = outcome.reason === "held";
  const diverged = outcome.divergedAt === null ? null : `divergence_at_${outcome.divergedAt}`;
  const last = journal.count();
  return update(running, ports.clock, {
    status: suspended ? waitingStatus(awaits) : outcome.status === "ok" ? "completed" : "failed",
    reason: suspended ? null : (diverged ?? outcome.reason),
    active_turn_id: null,
    last_turn_status: suspended ? "suspended" : outcome.status,
    awaits: suspended ? awaits : [],
    budget_ledger: {
      turns: running.turn_cursor,
      events: outcome.events,
      tools: outcome.calls,
      failures: running.budget_ledger.failures + (outcome.status === "error" ? 1 : 0),
      outstanding_awaits: suspended ? awaits.length : 0,
    },
    journal: { count: last, head: journal.headAt(last)! },
    audit_head: log.head(),
  });
}

/** A timer wakes a job by itself, a decision by the next tick; an input needs a command of its own. */
export function waitingStatus(awaits: JobManifest["awaits"]): JobStatus {
  if (awaits.some(({ kind }) => kind === "timer")) return "awaiting_timer";
  return awaits.some(({ kind }) => kind === "approval") ? "awaiting_tool" : "awaiting_input";
}

export function update(manifest: JobManifest, clock: Clock, change: Partial<JobManifest>): JobManifest {
  return { ...manifest, ...change, updated_ms: clock.now() };
}
