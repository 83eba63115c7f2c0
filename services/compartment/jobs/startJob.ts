/** Begins a job: reads and checks everything it will need, pins it, and runs nothing yet. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { Rejection } from "../../kernel/errors.ts";
import { CHAIN_START } from "../audit/auditChain.ts";
import { admitModules } from "../policy/admitModules.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import { createTools } from "../tools/createTools.ts";
import type { ToolPorts } from "../tools/toolPorts.ts";
import { unsupportedTool } from "../tools/unsupportedTool.ts";
import { expectEvents } from "../turn/expectedEvents.ts";
import { programOf } from "../turn/runAgent.ts";
import { pinsOf } from "./jobFolder.ts";
import { type JobManifest, writeDurably, writeManifest } from "./manifest.ts";

/** @throws Rejection `JOB_EXISTS`, `CONTROL_UNSUPPORTED`, `SCHEMA_REFUSED`, and those of reading the inputs */
export async function startJob(
  ports: {
    readonly clock: Clock;
    readonly seed: () => number;
    readonly tools: Omit<ToolPorts, "nowMs">;
  },
  of: { readonly folder: string; readonly jobId: string; readonly config: AgentConfig },
): Promise<JobManifest> {
  const config = withApprovalLog(of.config, of.folder);
  const modules = admitModules(config);
  const program = programOf(config, modules);
  await expectEvents(config.expected_events, null);
  createTools(config, { ...ports.tools, nowMs: () => ports.clock.now() });
  const unsupported = unsupportedTool(config, { taskRunner: ports.tools.taskRunner !== null });
  if (unsupported !== null) {
    throw new Rejection(
      "CONTROL_UNSUPPORTED",
      `${unsupported.control} is not available: ${unsupported.reason}.`,
    );
  }
  if (existsSync(of.folder)) throw new Rejection("JOB_EXISTS", `There is a job in ${of.folder} already.`);
  const nowMs = ports.clock.now();
  const manifest: JobManifest = {
    type: "cazi_agent_job_manifest",
    schema_version: 1,
    job_id: of.jobId,
    status: "created",
    reason: null,
    created_ms: nowMs,
    updated_ms: nowMs,
    policy_path: config.policy?.path ?? null,
    agent_path: config.agent?.path ?? null,
    pins: await pinsOf(config, program, modules),
    start_ms: nowMs,
    seed: ports.seed(),
    turn_cursor: 0,
    active_turn_id: null,
    last_turn_status: null,
    awaits: [],
    unknown: [],
    budget_ledger: { turns: 0, events: 0, tools: 0, failures: 0, outstanding_awaits: 0 },
    journal: { count: 0, head: CHAIN_START },
    audit_head: null,
  };
  createWhole(of.folder, config, manifest);
  return manifest;
}

/** The folder appears with everything in it, or not at all. */
function createWhole(folder: string, config: AgentConfig, manifest: JobManifest): void {
  const building = `${folder}.starting-${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { mode: 0o700 });
  writeDurably(join(building, "config.json"), JSON.stringify(config));
  writeManifest(building, manifest);
  try {
    renameSync(building, folder);
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    throw new Rejection("JOB_EXISTS", `There is a job in ${folder} already.`, { cause: error });
  }
}

/** A held call of a job waits for a decision, so there is always a place where one is looked up. */
function withApprovalLog(config: AgentConfig, folder: string): AgentConfig {
  if (config.approval_log !== null || config.approval_required_tools.length === 0) return config;
  return { ...config, approval_log: { name: "approval.jsonl", path: join(folder, "approval.jsonl") } };
}
