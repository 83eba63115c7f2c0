import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { newFolder } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";

let folder = newFolder();
const folders: string[] = [folder];
beforeEach(() => {
  folder = newFolder();
  folders.push(folder);
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});

const put = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const agent = (words: string[], env?: Record<string, string>) =>
  runWords(words, { cwd: folder, ...(env === undefined ? {} : { env }) });
const lines = (name: string) =>
  readFileSync(join(folder, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const PATIENT = "--timeout-ms=20000";
const roundTrip = `emit({ kind: "start", goal: context.goal });
const r = callTool("echo", { value: context.goal });
emit({ kind: "tool-result", r });`;

describe("agent run", () => {
  it("runs the documents' example and replays it", async () => {
    put("agent.js", roundTrip);
    const words = ["--audit-log=audit.jsonl", "--tool=echo", '--context-json={"goal":"summarize"}'];
    const ran = await agent(["run", "agent.js", PATIENT, ...words]);
    expect(ran).toMatchObject({
      code: 0,
      out: '{"kind":"start","goal":"summarize"}\n{"kind":"tool-result","r":{"value":"summarize"}}\n',
    });
    expect(lines("audit.jsonl").map(({ type }) => type)).toEqual(
      "run_start event tool_call tool_result event availability_check authority_check state_snapshot run_end".split(
        " ",
      ),
    );
    const replayed = await agent(["replay", "audit.jsonl", "--json"]);
    expect(JSON.parse(replayed.out)).toMatchObject({
      type: "agent_replay",
      runs: 1,
      events: 2,
      tool_calls: 1,
      run_end_ok: 1,
    });
    const head = (JSON.parse(replayed.out) as { head: string }).head;
    expect(ran.err).toContain(head);
    expect((await agent(["replay", "audit.jsonl", "--expect-head", head])).code).toBe(0);
    expect((await agent(["replay", "audit.jsonl", "--expect-head", "0".repeat(64)])).code).toBe(65);
  });

  it("denies what was not granted and fails the run", async () => {
    put("agent.js", `callTool("readFile", { path: "/etc/passwd" });`);
    const ran = await agent(["run", "agent.js", PATIENT]);
    expect(ran.code).toBe(70);
    expect(ran.err).toContain("agent tool denied: readFile");
    expect(lines(".cazi/agent/audit/agent.jsonl")).toContainEqual(
      expect.objectContaining({
        type: "tool_denial",
        tool: "readFile",
        policy: "denied",
        reason: "not_granted",
      }),
    );
  });

  it("refuses a control that this build does not have, before the program runs", async () => {
    put("agent.js", "emit({ ran: true });");
    const ran = await agent(["run", "agent.js", "--tool=process", "--require-approval=process", "--json"]);
    expect(ran.code).toBe(78);
    expect(lines(".cazi/agent/audit/agent.jsonl").map(({ type }) => type)).toEqual([
      "run_start",
      "unsupported_control",
      "run_end",
    ]);
    expect(lines(".cazi/agent/audit/agent.jsonl")[1]).toMatchObject({
      reason: "process_tool_supervisor_required_not_available",
    });
    const replayed = await agent(["replay", ".cazi/agent/audit/agent.jsonl", "--json"]);
    expect(JSON.parse(replayed.out)).toMatchObject({
      unsupported_control: 1,
      unsupported_control_breakdown: { tool_process: 1 },
      has_availability_controls: false,
    });
  });

  it("goes to another model only where the operator's environment says so, and records where", async () => {
    put("agent.js", "emit({});");
    put("m.json", "{}");
    const endpoint = async (env: Record<string, string>, ...more: string[]) => {
      const words = ["run", "agent.js", PATIENT, "--tool=model.call", "--model-fixture=m.json", ...more];
      expect((await agent(words, env)).code).toBe(0);
      const [start] = lines(".cazi/agent/audit/agent.jsonl");
      return (start!.named_network as Record<string, { endpoint: string }>)["model.call"]!.endpoint;
    };
    expect(await endpoint({})).toBe("https://api.openai.com/v1/responses");
    expect(await endpoint({ CAZI_MODEL_URL: "http://model.test/v1" })).toBe("http://model.test/v1");
    for (const key of ["model_url", "model_endpoint", "resolved"]) {
      put("p.json", JSON.stringify({ schema_version: 1, agent: "agent.js", [key]: "http://evil.test" }));
      expect((await agent(["policy", "validate", "--strict", "p.json"])).code).toBe(65);
    }
    const words = ["run", "agent.js", "--model-url=http://evil.test"];
    expect((await agent(words)).code).toBe(64);
  });

  it("states why a call was denied, for each way in which it can be", async () => {
    put(
      "agent.js",
      `const t = (tool, args) => { try { callTool(tool, args) } catch {} };
      t("slow", {}); t("readFile", { path: "x" }); t("listFiles", { path: "x" }); t("writeArtifact", { path: "a", content: "" });
      t("echo", {});`,
    );
    const words = ["run", "agent.js", PATIENT, "--tool=readFile", "--tool=listFiles", "--tool=writeArtifact"];
    const denials = () => lines(".cazi/agent/audit/agent.jsonl").filter(({ type }) => type === "tool_denial");
    expect((await agent([...words, "--tool=echo", "--require-approval=echo"])).code).toBe(0);
    expect(denials().map(({ reason }) => reason)).toEqual([
      "not_granted",
      "fs_read_path_not_admitted",
      "fs_read_path_not_admitted",
      "artifact_root_not_configured",
      "approval_required",
    ]);
    put(
      "agent.js",
      `const t = (path) => { try { callTool("writeArtifact", { path, content: "" }) } catch {} };
      t("../a"); t("a"); t("a");`,
    );
    expect((await agent([...words, "--fs-write=out"])).code).toBe(0);
    const reasons = denials().map(({ reason }) => reason);
    expect(reasons).toEqual(["artifact_path_not_admitted", "artifact_overwrite_denied"]);
  });

  it("keeps an older log of the same run and touches no other", async () => {
    put("agent.js", "emit({});");
    for (let n = 0; n < 3; n++) expect((await agent(["run", "agent.js", PATIENT])).code).toBe(0);
    expect(lines(".cazi/agent/audit/agent.jsonl.2").at(-1)).toMatchObject({ type: "run_end" });
    put("other.jsonl", "precious\n");
    expect((await agent(["run", "agent.js", PATIENT, "--audit-log=other.jsonl"])).code).toBe(74);
    expect(readFileSync(join(folder, "other.jsonl"), "utf8")).toBe("precious\n");
  });

  it("checks what the run promised of its events", async () => {
    const shape = { type: "object", required: ["kind", "n"], properties: { n: { type: "integer" } } };
    put("done.json", JSON.stringify(shape));
    const run = (source: string) => {
      put("agent.js", source);
      return agent(["run", "agent.js", PATIENT, "--expect-event=done=done.json"]);
    };
    const validations = () =>
      lines(".cazi/agent/audit/agent.jsonl").filter(({ type }) => type === "schema_validation");
    expect((await run(`emit({ kind: "done", n: 1 }); emit({ kind: "other" });`)).code).toBe(0);
    expect(validations()).toMatchObject([{ kind: "done", valid: true }]);
    expect((await run(`emit({ kind: "done", n: "1" });`)).code).toBe(70);
    expect(validations()).toMatchObject([{ valid: false, issues: ["/n invalid_type"] }]);
    expect(await run("")).toMatchObject({ code: 70, err: expect.stringContaining("expected_events") });
    expect(validations()).toMatchObject([{ valid: false, issues: ["no event of this kind"] }]);
    put("done.json", JSON.stringify({ properties: { n: { pattern: "(a+)+$" } } }));
    expect((await run("")).code).toBe(65);
  });

  it("tells usage, missing input and bad bytes apart", async () => {
    put("agent.js", "");
    writeFileSync(join(folder, "bad.js"), Buffer.from([0x2f, 0x2f, 0xff]));
    const codes = async (...words: string[]) => (await agent(["run", ...words])).code;
    expect(await codes("agent.js", "--tol=echo")).toBe(64);
    expect(await codes("agent.js", "--tool=nope")).toBe(64);
    expect(await codes("agent.js", "--timeout-ms=0")).toBe(64);
    expect(await codes("agent.js", "--secret=echo=KEY")).toBe(64);
    expect(await codes("agent.js", "--tool=echo", "--secret=echo=KEY")).toBe(64);
    const short = await agent(["run", "agent.js", "--tool=echo", "--secret=echo=KEY"], { KEY: "short" });
    expect(short).toMatchObject({ code: 64, err: expect.stringContaining("could not be redacted") });
    expect(await codes("missing.js")).toBe(66);
    expect(await codes("agent.js", "--session-file=no/such/folder/s.json")).toBe(74);
    expect(await codes("bad.js")).toBe(66);
    expect(
      await codes("agent.js", "--package=p=agent.js", "--package-integrity=p=fnv1a64:0000000000000000"),
    ).toBe(65);
  });

  it("answers an import from a hook while its file is what it was pinned as", async () => {
    put("hook.js", "export default 'hooked';");
    put("agent.js", `import c from "config"; emit({ c });`);
    const integrity = (await agent(["hash", "hook.js"])).out.trim();
    const words = ["run", "agent.js", PATIENT, "--import-hook=config=hook.js"];
    expect((await agent(words)).code).toBe(64);
    words.push(`--import-hook-integrity=config=${integrity}`);
    expect((await agent(words)).out).toBe('{"c":"hooked"}\n');
    expect(lines(".cazi/agent/audit/agent.jsonl")).toContainEqual(
      expect.objectContaining({ type: "module_result", specifier: "config", kind: "import_hook" }),
    );
    put("hook.js", "export default 'other';");
    expect((await agent(words)).code).toBe(65);
  });

  it("never writes a secret's value, whatever a tool or the program does with it", async () => {
    const value = "s3cr3t/välue+1";
    put(
      "notes.txt",
      `the key is ${value} or ${encodeURIComponent(value)} or ${Buffer.from(value).toString("base64")}`,
    );
    put(
      "agent.js",
      `const r = callTool("readFile", { path: "notes.txt" });
      emit({ r, guess: ${JSON.stringify(value)} }); state.set("k", ${JSON.stringify(value)});
      emit({ token: "plain", nested: [{ Password: 1, custom: 2 }] });
      throw new Error("because " + ${JSON.stringify(value)});`,
    );
    const ran = await agent(
      [
        "run",
        "agent.js",
        PATIENT,
        "--tool=readFile",
        "--fs-read=notes.txt",
        "--secret=readFile=KEY",
        "--redact-field=custom",
      ],
      { KEY: value },
    );
    const log = readFileSync(join(folder, ".cazi/agent/audit/agent.jsonl"), "utf8");
    for (const text of [ran.out, ran.err, log]) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(encodeURIComponent(value));
      expect(text).not.toContain(Buffer.from(value).toString("base64").replace(/=+$/, ""));
    }
    expect(ran.out).toContain(
      '{"token":"[REDACTED]","nested":[{"Password":"[REDACTED]","custom":"[REDACTED]"}]}',
    );
    expect(log).toContain(
      '"secret_scopes":[{"tool":"readFile","credential_mode":"env","credential_env":"KEY"}]',
    );
  });
});

describe("the file tools", () => {
  it("read what is admitted and nothing beside it", async () => {
    put("src/a.ts", "A");
    put("src/deep/b.ts", "B");
    put("src/skip.md", "no");
    put("src/bin", "a\0b");
    put("secret.txt", "outside");
    symlinkSync("../secret.txt", join(folder, "src/link.ts"));
    put(
      "agent.js",
      `const t = (path) => { try { return callTool("readFile", { path }).content } catch (e) { return e.message } };
      emit({ files: callTool("listFiles", {}).files.map((f) => f.path), a: t("src/a.ts"), up: t("src/deep/../a.ts"),
        out: t("secret.txt"), climb: t("src/../secret.txt"), link: t("src/link.ts"), passwd: t("/etc/passwd") });`,
    );
    const ran = await agent([
      "run",
      "agent.js",
      PATIENT,
      "--tool=readFile",
      "--tool=listFiles",
      "--fs-read=src",
      "--fs-read-exclude=*.md",
      "--fs-read-exclude=bin",
    ]);
    const denied = "agent tool denied: readFile";
    expect(JSON.parse(ran.out)).toEqual({
      files: ["src/a.ts", "src/deep/b.ts", "src/link.ts"],
      a: "A",
      up: "A",
      out: denied,
      climb: denied,
      link: expect.stringContaining("symlink_refused"),
      passwd: denied,
    });
    const manifest = lines(".cazi/agent/audit/agent.jsonl")[0]!.fs_read_source_manifest as { path: string }[];
    expect(manifest.find(({ path }) => path === "src/link.ts")).toMatchObject({
      readable: false,
      reason: "symlink_refused",
    });
  });

  it("create artifacts inside their folder, once each, through no link", async () => {
    put("elsewhere/keep", "");
    put("out/there.txt", "mine");
    symlinkSync("../elsewhere", join(folder, "out/linked"));
    put(
      "agent.js",
      `const t = (path) => { try { return callTool("writeArtifact", { path, content: "x" }).bytes } catch (e) { return e.message } };
      emit({ ok: t("sub/report.md"), again: t("sub/report.md"), there: t("there.txt"), up: t("../x"), abs: t("/tmp/x"), nul: t("a\\u0000b"), link: t("linked/x"), dot: t("./x") });`,
    );
    const ran = await agent(["run", "agent.js", PATIENT, "--tool=writeArtifact", "--fs-write=out"]);
    const denied = "agent tool denied: writeArtifact";
    expect(JSON.parse(ran.out)).toEqual({
      ok: 1,
      again: denied,
      up: denied,
      abs: denied,
      nul: denied,
      dot: denied,
      there: expect.stringContaining("never replaced"),
      link: expect.stringContaining("is a link"),
    });
    expect(readFileSync(join(folder, "out/there.txt"), "utf8")).toBe("mine");
    expect(() => readFileSync(join(folder, "elsewhere/x"))).toThrow();
  });
});

describe("agent approval", () => {
  it("holds a call until a person allows it, and lets it through once", async () => {
    put("agent.js", `emit({ r: callTool("echo", { path: "a.txt" }) });`);
    const run = [
      "run",
      "agent.js",
      PATIENT,
      "--tool=echo",
      "--require-approval=echo",
      "--approval-log=audit/approval.jsonl",
    ];
    expect((await agent(run)).code).toBe(70);
    const inbox = JSON.parse((await agent(["approval", "inbox", "audit/approval.jsonl", "--json"])).out) as {
      waiting: { approval_id: string }[];
    };
    expect(inbox.waiting).toMatchObject([{ tool: "echo", args: { path: "a.txt" }, run_id: "agent" }]);
    const id = inbox.waiting[0]!.approval_id;
    expect(
      (await agent(["approval", "allow", "audit/approval.jsonl", id, "--reason=reviewed diff"])).code,
    ).toBe(0);
    expect((await agent(["approval", "inbox", "audit/approval.jsonl"])).out).toBe("Nothing waits.\n");
    expect((await agent(run)).code).toBe(0);
    expect(lines(".cazi/agent/audit/agent.jsonl")).toContainEqual(
      expect.objectContaining({
        type: "tool_approval_granted",
        approval_id: id,
        approval_mode: "approval_log",
        reason: "reviewed diff",
      }),
    );
    expect((await agent(run)).code).toBe(70);
    expect(lines(".cazi/agent/audit/agent.jsonl")).toContainEqual(
      expect.objectContaining({ type: "tool_approval_stale", why: "used" }),
    );
  });

  it("keeps a denied call denied, and takes no decision on what nobody asked", async () => {
    put("agent.js", `callTool("echo", {});`);
    const run = [
      "run",
      "agent.js",
      PATIENT,
      "--tool=echo",
      "--require-approval=echo",
      "--approval-log=a.jsonl",
    ];
    await agent(run);
    const id = (lines("a.jsonl")[0] as { approval_id: string }).approval_id;
    expect((await agent(["approval", "deny", "a.jsonl", id, "--reason", "-x"])).code).toBe(0);
    expect((await agent(run)).code).toBe(70);
    expect(lines(".cazi/agent/audit/agent.jsonl")).toContainEqual(
      expect.objectContaining({ type: "tool_approval_denied", reason: "-x" }),
    );
    expect((await agent(["approval", "allow", "a.jsonl", `${id}0`])).code).toBe(66);
  });

  it("does not take an approval for other arguments, another program or another run", async () => {
    const flags = [PATIENT, "--tool=echo", "--require-approval=echo", "--approval-log=a.jsonl"];
    put("agent.js", `callTool("echo", { path: "a.txt" });`);
    await agent(["run", "agent.js", ...flags]);
    const id = (lines("a.jsonl")[0] as { approval_id: string }).approval_id;
    await agent(["approval", "allow", "a.jsonl", id]);
    expect((await agent(["run", "agent.js", ...flags, "--run-id=other"])).code).toBe(70);
    put("agent.js", `callTool("echo", { path: "š.txt" });`);
    expect((await agent(["run", "agent.js", ...flags])).code).toBe(70);
    put("agent.js", `callTool("echo", { path: "a.txt" });`);
    expect((await agent(["run", "agent.js", ...flags])).code).toBe(0);
  });

  it("approves beforehand for this run by a flag", async () => {
    put("agent.js", `callTool("echo", {});`);
    expect(
      (
        await agent([
          "run",
          "agent.js",
          PATIENT,
          "--tool=echo",
          "--require-approval=echo",
          "--approve-tool=echo",
        ])
      ).code,
    ).toBe(0);
  });
});

describe("agent policy", () => {
  const policy = (change: object = {}) =>
    put(
      "agent-policy.json",
      JSON.stringify({
        schema_version: 1,
        agent: "agent.js",
        audit_log: "audit.jsonl",
        tools: ["echo"],
        budgets: { timeout_ms: 20000, max_steps: 100000 },
        ...change,
      }),
    );

  it("runs a project and lets a flag beat it", async () => {
    put("agent.js", roundTrip);
    policy({ context: { goal: "from policy" } });
    expect((await agent(["run", "--project", "."])).out).toContain("from policy");
    expect(
      (await agent(["run", "--policy=agent-policy.json", '--context-json={"goal":"flag"}'])).out,
    ).toContain("flag");
    expect(lines("audit.jsonl")[0]).toMatchObject({
      policy: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it("validates the package that it pins, and says what is weak", async () => {
    put("agent.js", `import p from "left-pad"; emit({ p });`);
    put("packages/left-pad.js", "export default 1;");
    const integrity = (await agent(["hash", "packages/left-pad.js"])).out.trim();
    const [fnv] = integrity.split(",");
    const packages = { packages: { "left-pad": "packages/left-pad.js" } };
    policy({ ...packages, package_integrity: { "left-pad": integrity } });
    const strict = ["policy", "validate", "--strict", "--project-confined", "."];
    expect(await agent(strict)).toMatchObject({ code: 0, out: expect.not.stringContaining("weak") });
    expect((await agent(["run", "--project=."])).out).toBe('{"p":1}\n');
    policy({ ...packages, package_integrity: { "left-pad": fnv } });
    expect(await agent(strict)).toMatchObject({ code: 0, out: expect.stringContaining("integrity: weak") });
    const doctor = JSON.parse((await agent(["doctor", "--project=."])).out) as object;
    expect(doctor).toMatchObject({
      project: {
        type: "agent_project_doctor",
        validation: "valid",
        authority_counts: { tools: 1, packages: 1 },
        integrity: { "left-pad": "weak" },
        non_claims: expect.arrayContaining([expect.stringContaining("operating system")]),
        control_snapshot: { ambient_authority: "denied_by_default" },
      },
    });
    put("packages/left-pad.js", "export default 2;");
    expect((await agent(strict)).code).toBe(65);
    expect((await agent(["run", "--project=."])).code).toBe(65);
  });

  it("refuses unknown, repeated and escaping keys under its switches", async () => {
    put("agent.js", "");
    policy({ tolls: [] });
    expect((await agent(["policy", "validate", "."])).code).toBe(0);
    expect(await agent(["policy", "validate", "--strict"])).toMatchObject({
      code: 65,
      out: "/tolls is not a key of a policy\n",
    });
    put("agent-policy.json", '{"schema_version":1,"agent":"agent.js","tools":["echo"],"tools":["fail"]}');
    expect(await agent(["policy", "validate", "--strict"])).toMatchObject({
      code: 65,
      out: "/tools stands twice\n",
    });
    policy({ fs_read: ["../up"], fs_write: "/abs" });
    expect((await agent(["policy", "validate", "--project-confined"])).out).toBe(
      "/fs_read/0 leaves the project's folder\n/fs_write leaves the project's folder\n",
    );
    policy({ schema_version: 2, budgets: { timeout_ms: "1" }, tools: "echo" });
    expect((await agent(["policy", "validate"])).out.split("\n")).toHaveLength(4);
  });

  it("explains, weighs and compares", async () => {
    put("agent.js", "");
    policy();
    put(
      "other.json",
      JSON.stringify({ schema_version: 1, agent: "agent.js", tools: ["echo", "readFile"], fs_read: ["src"] }),
    );
    const explained = JSON.parse((await agent(["policy", "explain", "--json"])).out) as {
      non_claims: string[];
    };
    expect(explained).toMatchObject({ authority_counts: { tools: 1 }, authority: { tools: ["echo"] } });
    expect(explained.non_claims.join(" ")).toContain("sandbox of the operating system");
    expect((await agent(["policy", "risk", "other.json"])).out).toContain("medium  reads files under src");
    const compared = await agent(["policy", "diff", ".", "other.json", "--json"]);
    expect(compared.code).toBe(1);
    expect(
      (JSON.parse(compared.out) as { differences: { key: string }[] }).differences.map(({ key }) => key),
    ).toEqual(["audit_log", "budgets", "fs_read", "tools"]);
  });
});

describe("agent replay", () => {
  it("compares two runs and their events", async () => {
    put("agent.js", "emit({ n: context.n }); emit({ same: 1 });");
    const run = (n: number) =>
      agent(["run", "agent.js", PATIENT, `--audit-log=${n}.jsonl`, `--context-json={"n":${n}}`]);
    await run(1);
    await run(2);
    expect((await agent(["replay", "--diff", "1.jsonl", "2.jsonl"])).code).toBe(0);
    const events = await agent(["replay", "--diff", "--events", "1.jsonl", "2.jsonl", "--json"]);
    expect(events.code).toBe(1);
    expect(JSON.parse(events.out)).toMatchObject({
      event_differences: [{ field: "event 0", before: { n: 1 }, after: { n: 2 } }],
    });
  });

  it("writes a run as one page", async () => {
    put("agent.js", "emit({ tag: '<b>' });");
    await agent(["run", "agent.js", PATIENT, "--audit-log=a.jsonl"]);
    expect((await agent(["replay", "a.jsonl", "--html", "run.html"])).code).toBe(0);
    expect(readFileSync(join(folder, "run.html"), "utf8")).toContain("Run a");
  });

  it("refuses a log without its end, unless it is told to look at it", async () => {
    put("agent.js", "emit({});");
    await agent(["run", "agent.js", PATIENT, "--audit-log=a.jsonl"]);
    const text = readFileSync(join(folder, "a.jsonl"), "utf8");
    put("torn.jsonl", text.slice(0, -20));
    expect(await agent(["replay", "torn.jsonl"])).toMatchObject({
      code: 65,
      err: expect.stringContaining("line 6 is torn"),
    });
    const shown = await agent(["replay", "torn.jsonl", "--allow-incomplete", "--json"]);
    expect(JSON.parse(shown.out)).toMatchObject({ status: "incomplete", torn_line: 6, complete: false });
  });
});

describe("agent tool and help", () => {
  it("list the manifest as the documents have it", async () => {
    const { out } = await agent(["tool", "list"]);
    expect(out).toContain("echo available=true worker=true\n");
    expect(out).toContain("readFile available=with_--fs-read\n");
    expect(out).toContain("osv.query available=true pinned=api.osv.dev\n");
    expect(out).toContain("model.call available=with_--model-provider\n");
    expect(out).toContain("shell available=false reason=process_tool_supervisor_required_not_available\n");
    expect(JSON.parse((await agent(["tool", "describe", "slow", "--json"])).out)).toMatchObject({
      args: "{delay_ms?, value?}",
    });
    expect((await agent(["tool", "describe", "nope"])).code).toBe(64);
  });

  it("say the flags by group with their defaults", async () => {
    const { out, code } = await agent(["run", "--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(/Budgets:\n.*--timeout-ms=<n> .*\(default: 250\)/);
    expect(out.indexOf("Examples:")).toBe(0);
    expect(await agent([])).toMatchObject({ code: 0, out: expect.stringContaining("replay") });
    expect(await agent(["policy"])).toMatchObject({ code: 0, out: expect.stringContaining("explain") });
    for (const words of [["nope"], ["policy", "nope"], ["--nope"]])
      expect((await agent(words)).code).toBe(64);
  });
});
