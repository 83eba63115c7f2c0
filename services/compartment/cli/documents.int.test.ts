/** Every command line of the two documents that this service keeps to, as it stands there, in the order of a reader. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliProgram, ensureBuilt } from "../../../test/support/builtCli.ts";
import { templates } from "../policy/templates.ts";
import { newFolder } from "../testing/runProgram.ts";
import type { Said } from "../testing/runWords.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const records = (name: string) =>
  readFileSync(join(folder, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The words of a line as a shell makes them: quotes, and a backslash at the end of a line. */
function wordsOf(line: string): string[] {
  const joined = line.replaceAll(/\\\n\s*/g, " ");
  const found = joined.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
  return found.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  );
}

/** As `npm` links it: the alias beside the command. */
const cruft = join(cliProgram, "../cruft.mjs");

/** Runs a line of a document. The times in it are those of a machine that does nothing else: a timeout is tried again. */
function say(line: string, stdin = ""): Said {
  const [program, agent, ...words] = wordsOf(line);
  expect([program, agent]).toEqual(["cruft", "agent"]);
  for (let attempt = 0; ; attempt++) {
    const of = { cwd: folder, env: { PATH: process.env.PATH }, input: stdin, encoding: "utf8" } as const;
    const { status, stdout: out, stderr: err } = spawnSync(process.execPath, [cruft, "agent", ...words], of);
    if (attempt === 9 || !err.includes("error, timeout")) return { code: status ?? -1, out, err };
  }
}

const source = `emit({ kind: "start", goal: context.goal });
const r = callTool("echo", { value: context.goal });
emit({ kind: "tool-result", r });
`;

beforeAll(() => {
  ensureBuilt();
  mkdirSync(join(folder, "review/packages"), { recursive: true });
  put("agent.js", source);
  put(
    "agent-policy.json",
    JSON.stringify({ schema_version: 1, agent: "agent.js", audit_log: "a.jsonl", tools: ["echo"] }),
  );
  put("review/agent.js", `emit({ v: await scheduler.waitForInput({ ask: "go?" }) });`);
  put(
    "review/agent-policy.json",
    JSON.stringify({ schema_version: 1, agent: "agent.js", audit_log: "a.jsonl" }),
  );
});

describe("the documents' command lines, as they are written", () => {
  it("run the example, replay its log, and state the controls", async () => {
    const ran = say(`cruft agent run agent.js --timeout-ms=500 --audit-log=audit.jsonl \\
  --tool=echo --context-json='{"goal":"summarize"}'`);
    expect(ran).toMatchObject({ code: 0 });
    expect(records("audit.jsonl").map(({ type }) => type)).toEqual(
      "run_start event tool_call tool_result event availability_check authority_check state_snapshot run_end".split(
        " ",
      ),
    );
    const doctor = JSON.parse(say("cruft agent doctor").out) as { controls: Record<string, unknown> };
    expect(doctor).toMatchObject({
      controls: { tools: "explicit_registry", ambient_authority: "denied_by_default" },
      public_claim_predicate: "sandbox claims must be scoped to listed controls",
    });
    for (const missing of ["process_tool_supervisor", "operating_system_sandbox"]) {
      expect(doctor.controls[missing]).toMatchObject({ status: "not_available", reason: expect.any(String) });
    }
    expect(JSON.parse(say("cruft agent replay audit.jsonl").out)).toMatchObject({
      events: 2,
      tool_calls: 1,
    });
    expect(say("cruft agent doctor --project ./review").code).toBe(0);
  });

  it("compare two runs, with and without their events", async () => {
    for (const name of ["before", "after"]) {
      expect(
        say(
          `cruft agent run agent.js --tool=echo --context-json='{"goal":"${name}"}' --audit-log=${name}.jsonl`,
        ).code,
      ).toBe(0);
    }
    expect(say("cruft agent replay --diff before.jsonl after.jsonl").code).toBe(0);
    expect(say("cruft agent replay --diff --events before.jsonl after.jsonl").code).toBe(1);
  });

  it("deny the tool that was never granted, and say so in the log", async () => {
    put("triage.js", `${source}callTool("readFile", { path: "/etc/passwd" }); // never granted\n`);
    put("agent.js", readFileSync(join(folder, "triage.js"), "utf8"));
    const ran = say(
      `cruft agent run agent.js --tool=echo --audit-log=audit.jsonl --context-json='{"goal":"triage"}'`,
    );
    expect(ran).toMatchObject({ code: 70, err: expect.stringContaining("agent tool denied: readFile") });
    expect(records("audit.jsonl")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "tool_call", tool: "echo", policy: "allowed" }),
        expect.objectContaining({ type: "tool_denial", tool: "readFile", policy: "denied" }),
      ]),
    );
    put("agent.js", source);
  });

  it("list the tools with what each needs", async () => {
    const { out } = say("cruft agent tool list");
    for (const line of [
      "echo available=true worker=true",
      "readFile available=with_--fs-read",
      "osv.query available=true pinned=api.osv.dev",
      "model.call available=with_--model-provider",
    ]) {
      expect(out.split("\n")).toContain(line);
    }
  });

  it("validate and explain the policy that the overview shows", async () => {
    const shown = {
      schema_version: 1,
      agent: "agent.js",
      tools: ["readFile", "model.call"],
      budgets: { timeout_ms: 500, max_steps: 100000 },
      packages: { "left-pad": "packages/left-pad.js" },
    };
    mkdirSync(join(folder, "packages"), { recursive: true });
    put("packages/left-pad.js", "export default (s, n) => String(s).padStart(n);");
    const hash = JSON.parse(say("cruft agent hash packages/left-pad.js --json").out) as {
      fnv1a64: string;
    };
    put("agent-policy.json", JSON.stringify({ ...shown, package_integrity: { "left-pad": hash.fnv1a64 } }));
    const validated = say("cruft agent policy validate --strict --project-confined .");
    expect(validated).toMatchObject({ code: 0, out: expect.stringContaining("integrity: weak") });
    const explained = say("cruft agent policy explain");
    expect(JSON.parse(explained.out)).toMatchObject({ non_claims: expect.any(Array) });
    put("packages/left-pad.js", "export default 1;");
    expect(say("cruft agent policy validate --strict --project-confined .").code).toBe(65);
  });

  it("gate a call on a person, in both directions", async () => {
    mkdirSync(join(folder, "audit"), { recursive: true });
    const run = `cruft agent run agent.js --tool=echo --require-approval=echo --approval-log=audit/approval.jsonl --context-json='{"goal":"g"}'`;
    expect(say(run).code).toBe(70);
    const id = records("audit/approval.jsonl")[0]!.approval_id as string;
    expect(say(`cruft agent approval allow audit/approval.jsonl ${id} --reason="reviewed diff"`).code).toBe(
      0,
    );
    expect(say(run).code).toBe(0);
    expect(say(`cruft agent approval deny  audit/approval.jsonl ${id} --reason="unexpected host"`).code).toBe(
      0,
    );
    expect(say(run).code).toBe(70);
    expect(records("audit/approval.jsonl").map(({ reason }) => reason)).toContain("reviewed diff");
  });

  it("start a job, tick it, and give it its input", async () => {
    const started = say("cruft agent schedule start --project ./review");
    expect(started.code).toBe(0);
    const here = started.out.trim();
    const there = say("cruft agent schedule start --project ./review --store ./jobs").out.trim();
    expect(say(`cruft agent schedule tick ${there} --store ./jobs`).code).toBe(0);
    expect(say(`cruft agent schedule tick ${here}`).code).toBe(0);
    const status = say(`cruft agent schedule status ${here} --json`);
    const [{ token }] = (JSON.parse(status.out) as { awaits: [{ token: string }] }).awaits;
    expect(say(`cruft agent schedule input ${here} --token ${token}`, '{"go":true}').code).toBe(0);
    expect(say(`cruft agent schedule tick ${here}`).out).toBe('{"v":{"go":true}}\n');
  });

  it("refuse by name the process tool that needs a supervisor, before anything runs", async () => {
    const ran = say(`cruft agent run agent.js \\
  --tool=process --require-approval=process`);
    expect(ran).toMatchObject({
      code: 78,
      err: expect.stringContaining("process_tool_supervisor_required_not_available"),
    });
  });
});

describe("the documents' flags", () => {
  it.each(
    [
      "--timeout-ms=500 --tool-timeout-ms=250 --max-tool-arg-bytes=8192 --max-tool-result-bytes=8192",
      "--project=review",
      "--policy=agent-policy.json --worker",
      "--session-file=session.json --state-json={}",
      "--named-network-cache-dir=cache --named-network-cache-mode=read-through --named-network-cache-max-age-ms=9",
      "--named-network-cache-dir=cache --named-network-cache-mode=offline --named-network-cache-max-entries=9",
      "--named-network-retry-attempts=3",
      "--model-api-key-env=OPENAI_KEY --model-provider=openai.responses",
      "--github-token-env=GITHUB_TOKEN",
      "--tool=github.pr.read --secret=github.pr.read=GITHUB_TOKEN",
      "--approval-log=a.jsonl --approval-max-age-ms=9 --require-approval=echo --approve-tool=echo",
      "--module=./m=agent.js --package=p=agent.js --package-integrity=p=fnv1a64:HASH",
      "--import-hook=h=agent.js --import-hook-integrity=h=fnv1a64:HASH",
    ].map((flags) => [flags]),
  )("are taken: %s", async (flags) => {
    const { parseFlags } = await import("./parseFlags.ts");
    const { runFlags } = await import("../policy/configKeys.ts");
    const { resolveConfig } = await import("./resolveConfig.ts");
    put("agent-policy.json", JSON.stringify({ schema_version: 1, agent: "agent.js", audit_log: "a.jsonl" }));
    expect(() => resolveConfig(parseFlags(runFlags, flags.split(" ")), folder)).not.toThrow();
  });

  it("are those of the templates that the documents name", () => {
    expect(templates.map(({ name }) => name)).toContain("package-review");
  });
});
