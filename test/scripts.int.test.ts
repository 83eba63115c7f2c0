import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compartmentScripts } from "../deploy/compose/roles/compartmentScripts.ts";
import type { AttemptRef } from "../schemas/messages/node.ts";
import { readAuditLog } from "../services/compartment/audit/readAuditLog.ts";
import { budgetRules } from "../services/compartment/budgets/budgets.ts";
import { configKeys } from "../services/compartment/policy/configKeys.ts";
import { templates } from "../services/compartment/policy/templates.ts";
import { toolManifest } from "../services/compartment/tools/manifest.ts";
import { isRefusal } from "../services/domain/refusal.ts";
import { NOT_ON_NODES, projectPolicySchema } from "../services/domain/spec/projectPolicy.ts";
import { readSpec } from "../services/domain/spec/readSpec.ts";
import { scriptBudgetBounds, scriptTools } from "../services/domain/spec/scriptRules.ts";
import { systemClock } from "../services/kernel/clock.ts";
import type { RunningNodeAgent } from "../services/node-agent/main.ts";
import {
  type MakeScripts,
  type NodeFixture,
  nodeFixture,
} from "../services/node-agent/testing/nodeFixture.ts";
import { waitFor } from "./support/waitFor.ts";

const scripts: MakeScripts = (config) => compartmentScripts({ config, clock: systemClock, env: {} });
const env = {
  CAZI_NODE_RUNTIME: "compartment",
  CAZI_NODE_SCRIPT_TOOLS: "osv.query,github.repo.read",
  CAZI_NODE_SCRIPT_COMMANDS: "say=/bin/echo",
};

const PACKAGE = {
  "vendor/left/package.json": '{"name":"left","main":"index.js"}',
  "vendor/left/index.js": 'export const pad = (text) => "-" + text;',
};
/** `cazi agent hash` of it. */
const PACKAGE_PIN = "sha256:5d9caddb5be95d043cb9d0ad68ce23f77cc6358ad5e6915b6df3e4c9f5814ef8";

describe("scripts on a node without an engine", () => {
  let node: NodeFixture;
  let agent: RunningNodeAgent;
  let server: Server;
  /** What was brought to the control plane, by task and name. */
  const stored = new Map<string, Buffer>();

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      stored.set(request.url!, bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      response.end(JSON.stringify({ bytes: bytes.length, sha256 }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    node = await nodeFixture();
    agent = await node.startAgent(env, scripts);
  });
  afterAll(async () => {
    await node.close();
    server.close();
  });

  /** The place of a task's files has its name, so that they are told apart. */
  const offer = (script: object | null, more: object = {}) => {
    const task = node.newTask();
    const { port } = server.address() as AddressInfo;
    node.plane.artifactAccess = { url: `http://127.0.0.1:${port}/${task}`, token: "t" };
    return node.plane.offer(task, { script, ...more });
  };
  const run = async (script: object, more: object = {}) => {
    const ref = await offer(script, more);
    return { ref, report: await node.plane.final(ref) };
  };
  const runProject = async (project: object) => {
    const ref = await offer(null, { project });
    return { ref, report: await node.plane.final(ref) };
  };
  const output = async (ref: AttemptRef, stream: "stdout" | "stderr" = "stdout") =>
    (await node.logged(ref, stream)).bytes.toString();
  const auditLog = (ref: AttemptRef) => stored.get(`/${ref.task}/agent-audit.jsonl`)!.toString();
  /** Its chain is checked; a log that was cut or changed is no log. */
  const logOf = (ref: AttemptRef) => {
    const read = readAuditLog(auditLog(ref));
    if (read.state === "refused") throw new Error(read.why);
    return read;
  };
  /** It has come to its loop, and what it said is stored. */
  const looping = (ref: AttemptRef) =>
    waitFor(`${ref.task} to loop`, async () => (await output(ref)) === '{"at":1}\n');

  it("gives what it emits as lines of JSON, and its audit log with the head that the record has", async () => {
    const source =
      'emit({ sum: [1, 2, 3].reduce((a, b) => a + b) }); emit(callTool("echo", { a: context.a }));';
    const { ref, report } = await run({ source, tools: ["echo"], context: { a: "š" } });
    expect(report.ended).toMatchObject({ exit_code: 0, signal: null, stopped_by: null, failure: null });
    expect(await output(ref)).toBe('{"sum":6}\n{"a":"š"}\n');
    expect(report.image).toMatchObject({
      ref: expect.stringContaining("quickjs"),
      image_id: expect.stringMatching(/^sha256:/),
    });
    const [, head] = /^audit log agent-audit\.jsonl, head ([0-9a-f]{64})$/.exec(report.ended!.message!)!;
    expect(logOf(ref)).toMatchObject({ state: "complete", head });
    expect(await output(ref, "stderr")).toBe("");
    await waitFor(
      "nothing of it to be left",
      async () => !(await agentFolders(node)).some((name) => name.startsWith(ref.task)),
    );
  });

  it("imports its modules, reads its files and brings its artifacts", async () => {
    const { ref, report } = await run({
      source:
        'import { twice } from "./lib.js"; const { content } = callTool("readFile", { path: "in/a.txt" }); callTool("writeArtifact", { path: "out/b.txt", content: twice(content) });',
      modules: { "./lib.js": "export const twice = (text) => text + text;" },
      files: { "in/a.txt": "ab" },
      tools: ["readFile", "writeArtifact"],
    });
    expect(report.ended).toMatchObject({ exit_code: 0 });
    expect(stored.get(`/${ref.task}/out/b.txt`)?.toString()).toBe("abab");
  });

  it("cannot write over its own audit log", async () => {
    const { ref, report } = await run({
      source:
        'try { callTool("writeArtifact", { path: "agent-audit.jsonl", content: "" }); } catch (error) { emit({ code: error.code }); }',
      tools: ["writeArtifact"],
    });
    expect(report.ended).toMatchObject({ exit_code: 0 });
    expect(await output(ref)).toContain("ARTIFACT_EXISTS");
    expect(logOf(ref).state).toBe("complete");
  });

  it("has nothing that was not named: tools are denied, and no variable, file or network is there", async () => {
    const source = `
      try { callTool("echo", {}); } catch (error) { emit({ denied: error.message }); }
      emit({ seen: ["process", "require", "fetch", "setTimeout", "WebAssembly"].filter((name) => name in globalThis) });
      try { [].constructor.constructor("return process")(); } catch (error) { emit({ refused: true }); }
      try { await import("node:fs"); } catch (error) { emit({ module: "denied" }); }`;
    const { ref, report } = await run({ source });
    expect(report.ended).toMatchObject({ exit_code: 0 });
    expect(await output(ref)).toBe(
      '{"denied":"agent tool denied: echo"}\n{"seen":[]}\n{"refused":true}\n{"module":"denied"}\n',
    );
  });

  it.each([
    [
      "a throw",
      "throw new TypeError('no')",
      {},
      {},
      { exit_code: 1, stopped_by: null },
      "exception: TypeError: no",
    ],
    [
      "a loop at the limit of its task",
      "for (;;) {}",
      {},
      { timeout_seconds: 1 },
      { stopped_by: "timeout" },
      "(timeout|stopped)",
    ],
    [
      "a native call that never looks up",
      "[].indexOf.call({ length: 2e9 }, 1)",
      { timeout_ms: 100 },
      {},
      { stopped_by: "timeout" },
      "timeout",
    ],
    [
      "memory",
      "const a = []; for (;;) a.push(new Array(1e5).fill(1))",
      { max_heap_mb: 24 },
      {},
      { exit_code: 137, oom_killed: true },
      "memory_heap_exceeded",
    ],
    [
      "memory of its process",
      "const a = []; for (;;) a.push(new Array(1e5).fill(1))",
      { max_rss_mb: 100, max_heap_mb: 512 },
      {},
      { exit_code: 137, oom_killed: true },
      "memory_rss_exceeded",
    ],
    ["steps", "for (;;) {}", { max_steps: 50_000 }, {}, { exit_code: 70 }, "step_budget_exceeded"],
    [
      "microtasks",
      "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})",
      { max_microtasks: 100 },
      {},
      { exit_code: 70 },
      "microtask_budget_exceeded",
    ],
  ])("ends by its own class after %s", async (_what, source, budgets, more, facts, message) => {
    const { ref, report } = await run({ source, budgets }, more);
    expect(report.ended).toMatchObject(facts);
    expect(report.ended!.message).toMatch(
      new RegExp(`^audit log agent-audit\\.jsonl, head [0-9a-f]{64}; ${message}`),
    );
    expect(await output(ref, "stderr")).toMatch(new RegExp(`^${message}$`, "m"));
    expect(logOf(ref).state).toBe("complete");
    expect(logOf(ref).records.at(-1)).toMatchObject({ type: "run_end", status: "error" });
  });

  it("is terminated by a cancel while it loops, with an audit log that has its end", async () => {
    const ref = await offer({ source: "emit({ at: 1 }); for (;;) {}" });
    await looping(ref);
    node.plane.cancel(ref);
    expect((await node.plane.final(ref, 10_000)).ended).toMatchObject({
      exit_code: 143,
      stopped_by: "cancel",
    });
    expect(logOf(ref).records.at(-1)).toMatchObject({ type: "run_end", reason: "stopped" });
    expect(await output(ref)).toBe('{"at":1}\n');
  });

  it("keeps output to its cap and counts the rest", async () => {
    const source = 'for (let i = 0; i < 100; i++) emit({ text: "x".repeat(991) });';
    const { ref, report } = await run({ source, budgets: { max_events: 100 } }, { max_output_bytes: 5_000 });
    expect(report.ended).toMatchObject({ exit_code: 0 });
    expect(report.logs.stdout).toEqual({ stored: 5_000, dropped: 100 * 1_003 - 5_000 });
    expect(await output(ref)).toHaveLength(5_000);
  });

  it("runs the commands of the node's operator, and no others", async () => {
    const source = `
      const { stdout } = await callTool("process", { command: "say", args: ["hello"] });
      emit({ text: stdout.text });
      try { await callTool("process", { command: "sh" }); } catch (error) { emit({ message: error.message }); }`;
    const { ref } = await run({ source, tools: ["process"], budgets: { tool_timeout_ms: 5_000 } });
    expect(await output(ref)).toContain('{"text":"hello\\n"}');
    expect(await output(ref)).toContain("denied");
  });

  it("is refused where the node does not offer a tool, whatever the scheduler thought", async () => {
    const { report } = await run({ source: "1", tools: ["npm.metadata"] });
    expect(report.not_started).toMatchObject({
      reason: "runtime_refused",
      message: "this node does not offer the tool npm.metadata to scripts",
    });
  });

  it("is refused where its commands are to be tasks and its grant names no place for them", async () => {
    const task = node.newTask();
    node.plane.artifactAccess = null;
    const script = { source: "emit({})", tools: ["process"], process_image: "alpine" };
    const ref = await node.plane.offer(task, { script });
    expect((await node.plane.final(ref)).ended).toMatchObject({
      exit_code: 65,
      message: expect.stringContaining("PROCESS_TASK_NOT_OFFERED"),
    });
    expect(await output(ref)).toBe("");
  });

  it("is refused by name when it may call a model and its grant names none", async () => {
    const { ref, report } = await run({ source: "emit({})", tools: ["model.call"] });
    expect(report.ended).toMatchObject({
      exit_code: 65,
      message: expect.stringMatching(/MODEL_NOT_OFFERED: .*CAZI_MODEL_KEY/),
    });
    expect(await output(ref)).toBe("");
  });

  it("runs a project as cazi agent does: its policy, modules, packages, fixtures and files, and no others", async () => {
    const policy = JSON.stringify({
      schema_version: 1,
      agent: "./main.js",
      audit_log: "audit/run.jsonl",
      tools: ["readFile", "listFiles", "writeArtifact", "osv.query"],
      modules: { "./lib.js": "lib/lib.js" },
      packages: { left: "vendor/left" },
      package_integrity: { left: PACKAGE_PIN },
      fs_read: ["."],
      fs_read_exclude: ["vendor/**"],
      fs_write: "out",
      osv_fixture: "osv.json",
      budgets: { timeout_ms: 5_000, max_events: 9 },
      context: { goal: "its policy's" },
    });
    const main = `
      import { twice } from "./lib.js";
      import { pad } from "left";
      emit({ text: twice(pad(context.goal)) });
      emit(await callTool("osv.query", { package: { name: "x", ecosystem: "npm" } }));
      emit({ names: callTool("listFiles", {}).files.map(({ path }) => path) });
      for (const path of ["../attempt.json", "/etc/passwd", "vendor/left/index.js"])
        try { callTool("readFile", { path }); } catch (error) { emit({ path, code: error.code }); }
      callTool("writeArtifact", { path: "b.txt", content: callTool("readFile", { path: "data/a.txt" }).content });
      emit(callTool("echo", { beside: true }));`;
    const files = {
      "agent-policy.json": policy,
      "main.js": main,
      "lib/lib.js": "export const twice = (text) => text + text;",
      ...PACKAGE,
      "data/a.txt": "abc",
      "osv.json": '{"fixtures":[{"args":{"package":{"name":"x","ecosystem":"npm"}},"result":{"vulns":[]}}]}',
    };
    const { ref, report } = await runProject({ files, tools: ["echo"], context: { goal: "g" } });
    expect(report.ended).toMatchObject({ exit_code: 0 });
    const lines = (await output(ref))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { text: "-g-g" },
      { vulns: [] },
      { names: ["agent-policy.json", "data/a.txt", "lib/lib.js", "main.js", "osv.json"] },
      { path: "../attempt.json", code: "TOOL_DENIED" },
      { path: "/etc/passwd", code: "TOOL_DENIED" },
      { path: "vendor/left/index.js", code: "TOOL_DENIED" },
      { beside: true },
    ]);
    expect(stored.get(`/${ref.task}/b.txt`)?.toString()).toBe("abc");
    const sha256 = createHash("sha256").update(policy).digest("hex");
    expect(logOf(ref).records[0]).toMatchObject({
      type: "run_start",
      run_id: `${ref.task}-1`,
      policy: { sha256 },
      event_budget: { max_events: 9 },
    });
  });

  it("runs nothing of a project whose package is not what its pin says", async () => {
    const policy = {
      schema_version: 1,
      agent: "main.js",
      packages: { left: "vendor/left" },
      package_integrity: { left: PACKAGE_PIN },
    };
    const files = { "agent-policy.json": JSON.stringify(policy), "main.js": "emit({})", ...PACKAGE };
    const { ref, report } = await runProject({
      files: { ...files, "vendor/left/index.js": "export const pad = 1;" },
    });
    expect(report.ended).toMatchObject({
      exit_code: 65,
      message: expect.stringContaining("INTEGRITY_MISMATCH"),
    });
    expect(await output(ref)).toBe("");
  });

  it.each([
    ["a path that leads elsewhere", { "../x.js": "1" }, {}],
    ["a policy that reads elsewhere", {}, { fs_read: ["../attempt.json"] }],
    ["a policy that reads an absolute path", {}, { fs_read: ["/etc/passwd"] }],
  ])("refuses %s itself, whatever the control plane let pass", async (_what, more, of) => {
    const policy = JSON.stringify({ schema_version: 1, agent: "main.js", ...of });
    const { report } = await runProject({ files: { "agent-policy.json": policy, "main.js": "1", ...more } });
    expect(report.ended).toMatchObject({ exit_code: 65, message: expect.stringContaining("POLICY_INVALID") });
  });

  it("runs nothing where a credential is not there, or could not be redacted", async () => {
    const tool = "github.repo.read";
    const script = { source: "emit({})", tools: [tool], credentials: { [tool]: "TOKEN" } };
    const { ref, report } = await run(script);
    expect(report.ended).toMatchObject({ exit_code: 65, message: expect.stringContaining("SECRET_UNSET") });
    expect(await output(ref)).toBe("");
    node.plane.secrets = { environment: { TOKEN: "abc" }, files: {}, registries: {} };
    const short = await run(script);
    node.plane.secrets = null;
    expect(short.report.ended!.message).toContain("SECRET_TOO_SHORT");
  });

  it("has a connection's value with a tool alone: the program and the log never see it", async () => {
    node.plane.secrets = { environment: { TOKEN: "s3cr3t-value" }, files: {}, registries: {} };
    const { ref, report } = await run({
      source: 'emit({ keys: Object.keys(globalThis), said: "s3cr3t-value" })',
    });
    node.plane.secrets = null;
    expect(report.ended).toMatchObject({ exit_code: 0 });
    expect(await output(ref)).toContain("[REDACTED]");
    expect(auditLog(ref)).not.toContain("s3cr3t-value");
  });

  it("is gone when its agent ends in the middle of it: never a second start, and its log is brought", async () => {
    const ref = await offer({ source: "emit({ at: 1 }); for (;;) {}" });
    await looping(ref);
    await agent.stop();
    agent = await node.startAgent(env, scripts);
    const report = await node.plane.final(ref);
    expect(report.ended).toMatchObject({ failure: "container_lost", exit_code: null });
    expect(await output(ref)).toBe('{"at":1}\n');
    expect(logOf(ref).records[0]).toMatchObject({ type: "run_start" });
  });

  it("is told of by the node in what it registers", async () => {
    const nodes = await node.nats.js.views.kv("nodes", { bindOnly: true });
    const said = (await nodes.get("local"))!.json<{ runtime: string; script_tools: string[] }>();
    expect(said.runtime).toBe("compartment");
    expect(said.script_tools).toEqual(expect.arrayContaining(["echo", "osv.query", "process"]));
    expect(said.script_tools).toEqual(expect.arrayContaining(["model_by_plane", "projects"]));
    expect(said.script_tools).not.toContain("npm.metadata");
  });
});

describe("what a spec may give a script", () => {
  it("are the tools and budgets of the compartment, with their bounds", () => {
    const offered = toolManifest.filter(({ available }) => available !== "false").map(({ name }) => name);
    expect([...scriptTools].sort()).toEqual([...offered].sort());
    for (const [name, bounds] of Object.entries(scriptBudgetBounds)) {
      const { min, max } = budgetRules[name as keyof typeof budgetRules];
      expect([name, bounds]).toEqual([name, [min, max]]);
    }
  });
});

it("a project's policy has on a node every key of cazi agent, or is refused with it", () => {
  const known = [...Object.keys(projectPolicySchema.shape), ...NOT_ON_NODES];
  const ofFiles = ["schema_version", "profile", "agent", "budgets"];
  expect(known.sort()).toEqual([...Object.keys(configKeys), ...ofFiles].sort());
});

it("projects of the templates are projects of a node", () => {
  for (const { name, files } of templates) {
    const read = readSpec({ project: { files } });
    expect([name, isRefusal(read)]).toEqual([name, false]);
  }
});

function agentFolders({ home }: NodeFixture): Promise<string[]> {
  return readdir(`${home}/node/local/scripts`);
}
