/** Runs that together write every type of record that there is, each with what a reader may rely on in it. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRecord } from "../audit/readAuditLog.ts";
import { sha256 } from "../membrane/sha256.ts";
import { guestSurfaces, recordTypes } from "../policy/abiReport.ts";
import { controlPlaneRunner } from "../process/controlPlaneRunner.ts";
import { localEndpoints } from "../testing/localEndpoints.ts";
import { newFolder, type ProgramRunOptions, runProgram } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";

const folder = newFolder();
const written: AuditRecord[] = [];
afterAll(() => rmSync(folder, { recursive: true }));

async function run(source: string, options: ProgramRunOptions = {}) {
  const ran = await runProgram(source, options);
  written.push(...ran.records);
  return ran;
}

const hook = "export default 1;";
const everything = `import one from "hook";
const attempt = (f) => { try { return f() } catch {} };
emit({ kind: "done", one });
attempt(() => emit({ large: "x".repeat(70_000) }));
callTool("echo", {});
attempt(() => callTool("fail", {}));
attempt(() => callTool("nope", {}));
attempt(() => callTool("echo", null));
callTool("writeArtifact", { path: "a", content: "a" });
await callTool("process", { command: "sh", args: ["-c", "echo 1"], output: "stream" });
await callTool("process", { command: "sh", args: ["-c", "yes"] }).catch(() => {});
state.set("a", 1); state.get("a"); state.list(); state.delete("a"); state.reset();
auditNote({ a: 1 }); auditControls();
await import("nope").catch(() => {});
close();
attempt(() => emit({}));`;

async function ofSurfaces(): Promise<void> {
  const flags = `--entry-module=main --module=main=main.js --import-hook=hook=hook.js --worker --session-file=s.json
    --import-hook-integrity=hook=sha256:${sha256(hook)} --expect-event=done=done.json --tool=echo --tool=fail
    --tool=writeArtifact --fs-write=out --tool=process --process-command=sh=/bin/sh --process-cwd=.
    --max-tool-result-bytes=4096`;
  const files = { "main.js": everything, "hook.js": hook, "done.json": "{}" };
  const ran = await run("", { files, flags: flags.split(/\s+/) });
  expect([ran.status, ran.of("exception")]).toEqual(["ok", []]);
}

async function ofFailures(): Promise<void> {
  const files = { "main.js": "throw new Error('no')", "done.json": "{}" };
  await run("", { files, flags: ["--module=main=main.js", "--entry-module=main"] });
  await run("", { files, flags: ["--expect-event=done=done.json"] });
  await run("", { flags: ["--tool=process"] });
  await run(`callTool("slow", { delay_ms: 60000 }).catch(() => {})`, {
    flags: ["--tool=slow", "--tool-timeout-ms=20"],
  });
}

async function ofApprovals(): Promise<void> {
  const held = ["--tool=echo", "--require-approval=echo"];
  const call = `try { callTool("echo", {}) } catch {}`;
  const decide = async (decision: string) => {
    const [asked] = readFileSync(join(folder, "approvals"), "utf8").split("\n");
    const { approval_id } = JSON.parse(asked!) as { approval_id: string };
    expect((await runWords(["approval", decision, "approvals", approval_id], { cwd: folder })).code).toBe(0);
  };
  const again = () =>
    run(call, { folder, flags: [...held, "--approval-log=approvals", "--approval-max-age-ms=60000"] });
  await run(call, { flags: held });
  await run(call, { flags: [...held, "--approve-tool=echo"] });
  await again();
  await decide("allow");
  await again();
  await again();
  await decide("deny");
  await again();
}

async function ofTheNetwork(): Promise<void> {
  const packument = { name: "n", "dist-tags": {}, versions: {} };
  const server = await localEndpoints((_, count) =>
    count === 1 ? { status: 503, headers: { "retry-after": "0" }, body: {} } : { body: packument },
  );
  const dir = join(folder, "cache");
  const flags = `--tool=npm.metadata --named-network-cache-dir=${dir} --named-network-cache-max-age-ms=1000
    --named-network-cache-max-entries=1 --named-network-retry-attempts=1`.split(/\s+/);
  const ask = (nowMs: number, ...names: string[]) => {
    const calls = names.map((name) => `await callTool("npm.metadata", { package: "${name}" });`);
    const clock = { now: () => nowMs, monotonicMs: () => performance.now() };
    return run(calls.join("\n"), { flags, clock, network: server.network, npmRegistry: "http://npm.test" });
  };
  await ask(1000, "a", "a", "b");
  await ask(3000, "b");
  for (const name of readdirSync(dir)) writeFileSync(join(dir, name), "damaged");
  await ask(3000, "b");
  await server.close();
}

async function ofTasksAndJobs(): Promise<void> {
  const plane = await localEndpoints(({ method, url }) => {
    if (method === "POST") return { status: 202, body: { id: "t", status: "pending" } };
    return { body: url.includes("/output") ? { value: "" } : { id: "t", status: "succeeded", exit_code: 0 } };
  });
  const { network } = plane;
  const taskRunner = controlPlaneRunner({
    url: "http://plane.test",
    token: "token-of-it",
    image: "i",
    network,
  });
  await run(`await callTool("process", { command: "make" })`, { flags: ["--tool=process"], taskRunner });
  await plane.close();
  writeFileSync(join(folder, "agent.js"), "await scheduler.sleep(60000)");
  const agent = (...words: string[]) => runWords(words, { cwd: folder });
  await agent("schedule", "start", "agent.js", "--job-id=j", "--timeout-ms=30000");
  expect((await agent("schedule", "tick", "j")).code).toBe(0);
  const log = readFileSync(join(folder, ".cazi/agent/jobs/j/audit/turn-1.jsonl"), "utf8");
  for (const line of log.trimEnd().split("\n")) written.push(JSON.parse(line) as AuditRecord);
}

beforeAll(async () => {
  await ofSurfaces();
  await ofFailures();
  await ofApprovals();
  await ofTheNetwork();
  await ofTasksAndJobs();
});

const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
const weakHash = expect.stringMatching(/^fnv1a64:[0-9a-f]{16}$/);
const held = { approval_id: expect.stringMatching(/^appr-[0-9a-f]{64}$/), tool: "echo", call: 0 };
const logged = { approval_mode: "approval_log", approval_log: "approvals", approval_max_age_ms: 60_000 };
const aged = { ...held, ...logged, approval_age_ms: expect.any(Number) };

/** Type, and one of its records as it must be among those that were written. */
const forms: readonly (readonly [type: string, form: object])[] = [
  ["event", { event: { kind: "done", one: 1 }, event_bytes: 23, event_sha256: hash }],
  ["tool_call", { tool: "echo", policy: "allowed", args: {}, arg_bytes: 2, args_sha256: hash }],
  ["tool_result", { tool: "echo", result: {}, result_bytes: 2, result_sha256: hash }],
  ["tool_denial", { tool: "nope", policy: "denied", reason: "not_granted" }],
  ["tool_denial", { tool: "echo", policy: "denied", reason: "approval_required" }],
  ["tool_error", { tool: "fail", code: "TOOL_FAILED" }],
  ["tool_invalid_args", { tool: "echo" }],
  ["tool_timeout", { tool: "slow", tool_timeout_ms: 20 }],
  ["tool_approval_pending", { ...held, approval_mode: "pre_effect_required" }],
  ["tool_approval_pending", { ...held, ...logged, resume: "decide_and_run_again" }],
  ["tool_approval_granted", { ...held, approval_mode: "pregranted" }],
  ["tool_approval_granted", aged],
  ["tool_approval_stale", { ...aged, why: "used", resume: "decide_again" }],
  ["tool_approval_denied", aged],
  ["budget_exceeded", { budget: "event_bytes", limit: 65_536, attempted: 70_012 }],
  ["budget_exceeded", { budget: "process_output_bytes", limit: 4096, tool: "process" }],
  ["authority_check", { object_prototype_polluted: false, global_polluted: false }],
  ["state_snapshot", { state: {}, state_bytes: 2 }],
  ["state_set", { key: "a", value_bytes: 1, state_bytes: 7 }],
  ["session_load", { turn_id: 1 }],
  ["session_save", { turn_id: 1 }],
  ["module_policy", { specifiers: ["main", "hook"] }],
  ["module_entry", { specifier: "main" }],
  ["module_entry_result", { specifier: "main", source_hash: weakHash, sha256: hash }],
  ["module_entry_error", { specifier: "main" }],
  ["import_hook_load", { specifier: "hook", sha256: sha256(hook) }],
  ["module_result", { specifier: "hook", kind: "import_hook", source_hash: weakHash, sha256: sha256(hook) }],
  ["module_denial", { specifier: "nope", reason: "specifier_not_admitted" }],
  ["revocation_denial", { surface: "emit", reason: "closed" }],
  ["worker_forwarding", { surfaces: Object.keys(guestSurfaces) }],
  ["schema_validation", { kind: "done", valid: true }],
  ["post_turn_failure", { reason: "expected_events" }],
  ["run_artifact_manifest", { artifacts: [{ path: "a", bytes: 1, hash: `sha256:${sha256("a")}` }] }],
  ["process_output_stream", { stream: "stdout", bytes: 2, text: "1\n" }],
  ["process_output_budget", { tool: "process", limit: 4096 }],
  ["process_task", { task: "t" }],
  ["scheduler_await", { kind: "timer", due_ms: expect.any(Number) }],
  [
    "unsupported_control",
    { control: "tool_process", reason: "process_tool_supervisor_required_not_available" },
  ],
  ["exception", { name: "Error", message: "no" }],
  ["run_end", { status: "error", reason: "exception", head: hash, records: expect.any(Number) }],
  ["run_end", { status: "ok", reason: "suspended" }],
];

const ofType = (type: string) => written.filter((record) => record.type === type);

describe("the records of a run", () => {
  it("are of every type that is listed, and of no other", () => {
    expect([...new Set(written.map(({ type }) => type))].sort()).toEqual([...recordTypes].sort());
  });

  it("say each what a reader relies on", () => {
    for (const [type, form] of forms) {
      expect(ofType(type), type).toContainEqual(expect.objectContaining(form));
    }
  });

  it("begin with who runs, what may be done and what is limited", () => {
    const blocks = `run_id mouth agent agent_sha256 timeout_ms tools secret_scopes approval_gates fs_read policy engine
      fs_read_source_manifest artifact_write named_network process_tools expected_events event_budget audit_redaction
      tool_payload_budget resource_controls module_policy state_controls availability_controls budgets seed start_ms`;
    for (const start of ofType("run_start").filter(({ seed }) => seed !== undefined)) {
      expect(Object.keys(start)).toEqual(expect.arrayContaining(blocks.split(/\s+/)));
    }
    expect(ofType("run_start")).toContainEqual(expect.objectContaining({ run_id: "j/turn-1", job_id: "j" }));
  });

  it("state at the end how each thing that waits was dealt with, as at the start", () => {
    expect(ofType("availability_check")[0]).toMatchObject({
      sync_timeout: "enforced",
      tenant_timeout_catchability: "uncatchable_gate",
      microtask_budget: "enforced",
      max_microtasks: 10_000,
      pending_promise_disposition: "detached_at_turn_end",
      timer_handles: "not_endowed_use_scheduler_sleep_protocol",
      async_tool_timeout: "enforced",
      tool_timeout_ms: 30_000,
      step_budget: "available_with_--max-steps",
      max_steps: null,
    });
  });
});
