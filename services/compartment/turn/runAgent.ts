/** A whole run from its configuration: reads its inputs, refuses what it cannot do, runs the turn, closes the log. */
import { basename, dirname, extname, join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { Rejection } from "../../kernel/errors.ts";
import { createGate } from "../approvals/createGate.ts";
import { type AuditLog, createAuditLog } from "../audit/auditLog.ts";
import type { GuestPool } from "../engine/guestPool.ts";
import type { JsonObject } from "../membrane/jsonText.ts";
import { createRedactor } from "../membrane/redaction.ts";
import { admitModules } from "../policy/admitModules.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import { readSource } from "../policy/readSource.ts";
import { createTools } from "../tools/createTools.ts";
import type { ToolPorts } from "../tools/toolPorts.ts";
import { unsupportedTool } from "../tools/unsupportedTool.ts";
import { describeRun } from "./describeRun.ts";
import { expectEvents } from "./expectedEvents.ts";
import { type ModulePolicy, packageMains } from "./moduleSurface.ts";
import { runTurn, type TurnOutcome } from "./runTurn.ts";
import { nextTurnId, saveSession } from "./session.ts";

export interface RunResult {
  readonly runId: string;
  readonly auditLog: string;
  readonly head: string;
  /** `unsupported`: nothing ran, because a control is not available. */
  readonly outcome:
    | TurnOutcome
    | { readonly status: "unsupported"; readonly control: string; readonly reason: string };
}

export interface RunPorts {
  readonly clock: Clock;
  readonly guests: GuestPool;
  readonly seed: () => number;
  readonly tools: Omit<ToolPorts, "nowMs">;
  /** Values that must not appear anywhere. */
  readonly secrets: readonly string[];
  readonly onEvent: (event: JsonObject) => void;
  /** Folder for defaults where no policy has one. */
  readonly cwd: string;
}

/** Its inputs are read and its log is open. */
export interface OpenRun {
  /** Runs the turn and closes the log; may be called once. */
  run(): Promise<RunResult>;
}

/** @throws Rejection for inputs that cannot be read or do not fit; nothing has run then */
export async function runAgent(ports: RunPorts, config: AgentConfig): Promise<RunResult> {
  const opened = await openRun(ports, config);
  return opened.run();
}

/** All of a run that comes before its turn. @throws as {@link runAgent} */
export async function openRun(ports: RunPorts, config: AgentConfig): Promise<OpenRun> {
  const modules = admitModules(config);
  const program = programOf(config, modules);
  const toolSet = createTools(config, { ...ports.tools, nowMs: () => ports.clock.now() });
  const expected = await expectEvents(config.expected_events, null);
  const runId = runIdOf(config);
  const sessionPath = config.session_file?.path ?? null;
  const turnId = sessionPath === null ? null : nextTurnId(sessionPath);
  const path = config.audit_log?.path ?? defaultLogPath(config, ports.cwd, runId);
  const redactor = createRedactor({ fields: config.redact_fields, secrets: ports.secrets });
  const startMonotonicMs = ports.clock.monotonicMs();
  const elapsedMs = () => ports.clock.monotonicMs() - startMonotonicMs;
  const gate = createGate({
    config,
    runId,
    agentSha256: program.sha256,
    nowMs: () => ports.clock.now(),
    redactor,
  });
  const log = createAuditLog({ path, runId, redactor, elapsedMs });
  const described = describeRun({ runId, config, modules, snapshot: toolSet.snapshot });
  return {
    async run() {
      try {
        const unsupported = unsupportedTool(config, { taskRunner: ports.tools.taskRunner !== null });
        if (unsupported !== null) return refuse(log, runId, described, unsupported);
        const outcome = await runTurn(
          {
            clock: ports.clock,
            guests: ports.guests,
            log,
            redactor,
            onEvent: ports.onEvent,
            afterStart: () => {
              if (turnId !== null) log.append("session_load", { turn_id: turnId });
            },
            beforeEnd: () => {
              if (turnId !== null) {
                saveSession(sessionPath!, turnId);
                log.append("session_save", { turn_id: turnId });
              }
              const artifacts = toolSet.artifacts.written;
              if (artifacts.length > 0) log.append("run_artifact_manifest", { artifacts });
            },
          },
          {
            source: program.text,
            sourceName: program.name,
            context: config.context,
            state: config.state,
            startMs: ports.clock.now(),
            seed: ports.seed(),
            budgets: config.budgets,
            expected,
            grants: { tools: toolSet.tools, modules, gate },
            standpoint: { worker: config.worker, entryModule: program.entryModule },
            described,
            durable: null,
          },
        );
        return { runId, auditLog: path, head: log.head(), outcome };
      } finally {
        log.close();
      }
    },
  };
}

function refuse(
  log: AuditLog,
  runId: string,
  described: JsonObject,
  unsupported: { readonly control: string; readonly reason: string },
): RunResult {
  log.append("run_start", described as Record<string, JsonObject>);
  log.append("unsupported_control", unsupported);
  log.append("run_end", {
    status: "error",
    reason: "unsupported_control",
    records: log.count() + 1,
    head: log.head(),
  });
  return { runId, auditLog: log.path, head: log.head(), outcome: { status: "unsupported", ...unsupported } };
}

export interface Program {
  readonly text: string;
  readonly sha256: string;
  /** As it stands in its stacks. */
  readonly name: string;
  /** Its name among the modules; null for a file. */
  readonly entryModule: string | null;
}

/** @throws Rejection `USAGE`, and those of reading the file */
export function programOf(config: AgentConfig, modules: ModulePolicy): Program {
  if (config.entry_module !== null) {
    const name = packageMains(modules)[config.entry_module] ?? config.entry_module;
    const module = modules.get(name);
    if (module === undefined) {
      throw new Rejection("USAGE", `--entry-module ${config.entry_module} is not an admitted module.`);
    }
    return { text: module.source, sha256: module.sha256, name, entryModule: name };
  }
  if (config.agent === null)
    throw new Rejection("USAGE", "Name the program's file, a --project or an --entry-module.");
  const source = readSource(config.agent.path);
  const name = basename(config.agent.path);
  return { text: source.text, sha256: source.sha256, name, entryModule: null };
}

function stem(path: string): string {
  return basename(path, extname(path));
}

export function runIdOf(config: AgentConfig): string {
  if (config.run_id !== null) return config.run_id;
  const given = config.audit_log ?? config.agent;
  const safe =
    given === null
      ? ""
      : stem(given.path)
          .replaceAll(/[^A-Za-z0-9._:-]/g, "-")
          .slice(0, 128);
  return safe === "" ? "default" : safe;
}

function defaultLogPath(config: AgentConfig, cwd: string, runId: string): string {
  const base = config.policy === null ? cwd : dirname(config.policy.path);
  return join(base, ".cazi/agent/audit", `${runId.replaceAll(/[/:]/g, "_")}.jsonl`);
}
