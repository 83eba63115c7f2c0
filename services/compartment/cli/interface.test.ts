/** What a user may rely on, as tables: commands, flags, what a policy may say, exit codes. A name that goes is a break. */
import { describe, expect, it } from "vitest";
import { configKeys, runFlags } from "../policy/configKeys.ts";
import { parsePolicy } from "../policy/policyFile.ts";
import { configOf, mergeSettings, type Settings, settingsOfFlags } from "../policy/settings.ts";
import { commandTable } from "./commandTable.ts";
import { EXIT, exitCodeOf } from "./exitCodes.ts";
import { helpText } from "./helpText.ts";
import { parseFlags } from "./parseFlags.ts";

const commands = `run init doctor replay history bundle bundle-verify reset abi hash
template list, template describe, tool list, tool describe, approval inbox, approval allow, approval deny
policy validate, policy explain, policy risk, policy diff
add-tool remove-tool add-module remove-module add-package remove-package add-import-hook remove-import-hook
set-context unset-context set-budget unset-budget set-session unset-session set-worker unset-worker
schedule start, schedule tick, schedule input, schedule resolve, schedule cancel, schedule status, schedule list, schedule replay`
  .split("\n")
  .flatMap((line) => line.split(line.includes(", ") ? ", " : " "));

/** Of `run`, by the group of its help: name, form, and what holds without it where that is something. */
const flags: Readonly<Record<string, readonly (readonly [name: string, kind: string, fallback?: string])[]>> =
  {
    "Identity and output": [
      ["project", "text"],
      ["policy", "text"],
      ["audit-log", "text", ".cazi/agent/audit/<run id>.jsonl"],
      ["run-id", "text", "stem of the log or agent"],
      ["worker", "switch", "always so"],
      ["expect-event", "binding"],
      ["redact-field", "list"],
    ],
    "Tools and approval": [
      ["tool", "list"],
      ["require-approval", "list"],
      ["approve-tool", "list"],
      ["approval-log", "text"],
      ["approval-max-age-ms", "number"],
    ],
    "Tool inputs": [
      ["fs-read", "list"],
      ["fs-read-include", "list"],
      ["fs-read-exclude", "list"],
      ["fs-write", "text"],
      ["secret", "binding"],
      ["osv-fixture", "text"],
      ["model-fixture", "text"],
      ["model-provider", "text"],
      ["model-api-key-env", "text"],
      ["github-token-env", "text"],
      ["named-network-cache-dir", "text"],
      ["named-network-cache-mode", "text", "read-through"],
      ["named-network-cache-max-age-ms", "number"],
      ["named-network-cache-max-entries", "number", "1024"],
      ["named-network-retry-attempts", "number", "0"],
      ["process-command", "binding"],
      ["process-cwd", "text"],
      ["process-env", "binding"],
    ],
    Modules: [
      ["entry-module", "text"],
      ["module", "binding"],
      ["package", "binding"],
      ["package-integrity", "binding"],
      ["import-hook", "binding"],
      ["import-hook-integrity", "binding"],
    ],
    "Context, state and session": [
      ["context-json", "text", "{}"],
      ["state-json", "text", "{}"],
      ["session-file", "text"],
    ],
    Budgets: [
      ["timeout-ms", "number", "250"],
      ["tool-timeout-ms", "number", "250"],
      ["max-events", "number", "128"],
      ["max-event-bytes", "number", "65536"],
      ["max-tool-arg-bytes", "number", "65536"],
      ["max-tool-result-bytes", "number", "65536"],
      ["max-state-bytes", "number", "65536"],
      ["max-microtasks", "number", "10000"],
      ["max-steps", "number", "not limited"],
      ["max-heap-mb", "number", "64"],
      ["max-rss-mb", "number", "not limited"],
      ["process-output-stream-chunk-bytes", "number", "1024"],
      ["max-scheduler-turns", "number", "not limited"],
    ],
    Form: [
      ["json", "switch"],
      ["human", "switch", "on"],
    ],
  };

const at = (name: string) => ({ name, path: `/p/${name}` });

/** Key of a policy, its value, the flags that say the same, what both come to. */
const keys: readonly (readonly [key: string, value: unknown, words: string, comesTo?: unknown])[] = [
  ["agent", "a.js", "a.js", at("a.js")],
  ["audit_log", "a.jsonl", "--audit-log=a.jsonl", at("a.jsonl")],
  ["run_id", "r/1", "--run-id r/1"],
  ["worker", true, "--worker"],
  ["expected_events", { done: "d.json" }, "--expect-event=done=d.json", { done: at("d.json") }],
  ["redact_fields", ["pin", "iban"], "--redact-field=pin --redact-field iban"],
  ["tools", ["echo", "fail"], "--tool=echo --tool fail"],
  ["approval_required_tools", ["echo"], "--require-approval=echo"],
  ["approved_tools", ["echo"], "--approve-tool=echo"],
  ["approval_log", "l", "--approval-log=l", at("l")],
  ["approval_max_age_ms", 9, "--approval-max-age-ms=9"],
  ["fs_read", ["a", "b"], "--fs-read=a --fs-read=b", [at("a"), at("b")]],
  ["fs_read_include", ["*.a"], "--fs-read-include=*.a"],
  ["fs_read_exclude", ["*.b"], "--fs-read-exclude=*.b"],
  ["fs_write", "out", "--fs-write=out", at("out")],
  ["secrets", { echo: "KEY" }, "--secret=echo=KEY"],
  ["osv_fixture", "o", "--osv-fixture=o", at("o")],
  ["model_fixture", "m", "--model-fixture=m", at("m")],
  ["model_provider", "openai.responses", "--model-provider=openai.responses"],
  ["model_api_key_env", "KEY", "--model-api-key-env=KEY"],
  ["github_token_env", "KEY", "--github-token-env=KEY"],
  ["named_network_cache_dir", "c", "--named-network-cache-dir=c", at("c")],
  ["named_network_cache_mode", "offline", "--named-network-cache-mode=offline"],
  ["named_network_cache_max_age_ms", 9, "--named-network-cache-max-age-ms=9"],
  ["named_network_cache_max_entries", 9, "--named-network-cache-max-entries=9"],
  ["named_network_retry_attempts", 3, "--named-network-retry-attempts=3"],
  [
    "process_commands",
    { sh: "/bin/sh" },
    "--process-command=sh=/bin/sh",
    { sh: { name: "/bin/sh", path: "/bin/sh" } },
  ],
  ["process_cwd", "w", "--process-cwd=w", at("w")],
  ["process_env", { A: "b=c" }, "--process-env=A=b=c"],
  ["modules", { "./m": "m.js" }, "--module=./m=m.js", { "./m": at("m.js") }],
  ["packages", { p: "p.js" }, "--package=p=p.js", { p: at("p.js") }],
  ["package_integrity", { p: "fnv1a64:0" }, "--package-integrity=p=fnv1a64:0"],
  ["import_hooks", { h: "h.js" }, "--import-hook=h=h.js", { h: at("h.js") }],
  ["import_hook_integrity", { h: "sha256:0" }, "--import-hook-integrity=h=sha256:0"],
  ["entry_module", "./m", "--entry-module=./m"],
  ["context", { a: 1 }, '--context-json={"a":1}'],
  ["state", { b: 2 }, '--state-json={"b":2}'],
  ["session_file", "s", "--session-file=s", at("s")],
  ["budgets", { max_events: 7, max_steps: 9 }, "--max-events=7 --max-steps=9"],
];

const ofFlags = (words: string) => settingsOfFlags(parseFlags(runFlags, words.split(" ")), "/p");
const ofPolicy = (document: object) => parsePolicy(JSON.stringify({ schema_version: 1, ...document }), "/p");
const said = ({ values, budgets, agent }: Settings, key: string) =>
  key === "agent" ? agent : key === "budgets" ? budgets : (values as Record<string, unknown>)[key];

describe("the command line", () => {
  it("has these commands and no other", () => {
    expect(commandTable.map(({ name }) => name).sort()).toEqual([...commands].sort());
  });

  it("has these flags of a run, each in its group, of its form, with what holds without it", () => {
    const found = Object.entries(runFlags).map(([name, { group, kind, fallback }]) => [
      group,
      name,
      kind,
      fallback,
    ]);
    const listed = Object.entries(flags).flatMap(([group, rows]) =>
      rows.map(([name, kind, fallback]) => [group, name, kind, fallback]),
    );
    expect(found.sort()).toEqual(listed.sort());
  });

  it("shows every flag of every command in its help, below its group, with its default", () => {
    for (const command of commandTable) {
      const help = helpText(command);
      expect(help).toContain(`Usage: cazi agent ${command.name}`);
      for (const [name, { group, fallback }] of Object.entries(command.flags)) {
        const line = help
          .split(`\n${group}:\n`)[1]
          ?.split("\n")
          .find((one) => one.startsWith(`  --${name}`));
        expect(line, `${command.name} --${name}`).toBeDefined();
        if (fallback !== undefined) expect(line).toContain(`(default: ${fallback})`);
      }
    }
  });

  it("takes --json and --human as switches everywhere, but for the input of a job, which is JSON", () => {
    for (const { name, flags: own } of commandTable) {
      const kinds = [own.json?.kind, own.human?.kind];
      expect([name, kinds]).toEqual([
        name,
        name === "schedule input" ? ["text", undefined] : ["switch", "switch"],
      ]);
    }
  });

  it("takes --store at every command of a job", () => {
    for (const { name, flags: own } of commandTable) {
      if (name.startsWith("schedule "))
        expect([name, own.store?.fallback]).toEqual([name, ".cazi/agent/jobs"]);
    }
  });

  it("exits with these codes, and with 70 for a failure that has none", () => {
    expect(EXIT).toEqual({
      usage: 64,
      badData: 65,
      noInput: 66,
      failed: 70,
      io: 74,
      notNow: 75,
      policy: 76,
      unsupported: 78,
    });
    expect(exitCodeOf("SOMETHING_ELSE")).toBe(70);
  });
});

describe("a policy and the flags", () => {
  it("have the same words: each key of a policy is what its flag says", () => {
    expect(keys.map(([key]) => key).sort()).toEqual(["agent", "budgets", ...Object.keys(configKeys)].sort());
    for (const [key, value, words, comesTo = value] of keys) {
      const { settings, faults } = ofPolicy({ agent: "x.js", [key]: value });
      expect([key, faults]).toEqual([key, []]);
      expect([key, said(settings, key)]).toEqual([key, comesTo]);
      expect([key, said(ofFlags(words), key)]).toEqual([key, comesTo]);
    }
  });

  it("refuses each key of another form than its own, and tells where it stands", () => {
    for (const [key] of keys) {
      const { faults } = ofPolicy({ agent: "x.js", [key]: [[]] });
      expect([key, faults.map(({ pointer, level }) => [pointer, level])]).toEqual([
        key,
        [[`/${key}`, "error"]],
      ]);
    }
    expect(ofPolicy({ agent: "x.js", profile: "demo" }).faults).toEqual([]);
    for (const schema_version of [undefined, 0, 2, "1", 1.5]) {
      expect(ofPolicy({ agent: "x.js", schema_version }).faults).toMatchObject([
        { pointer: "/schema_version" },
      ]);
    }
  });

  it("meet: the command line beats the policy in scalars and by name, lists are both", () => {
    const { settings } = ofPolicy({
      agent: "x.js",
      run_id: "policy",
      tools: ["echo", "fail"],
      fs_read: ["a"],
      modules: { m: "m.js", n: "n.js" },
      budgets: { max_events: 1, max_steps: 2 },
    });
    const words = "y.js --run-id=flag --tool=slow --tool=echo --fs-read=b --module=m=o.js --max-events=3";
    expect(configOf(mergeSettings(settings, ofFlags(words)), null)).toMatchObject({
      agent: at("y.js"),
      run_id: "flag",
      tools: ["echo", "fail", "slow"],
      fs_read: [at("a"), at("b")],
      modules: { m: at("o.js"), n: at("n.js") },
      budgets: { max_events: 3, max_steps: 2, timeout_ms: 250 },
    });
  });

  it.each([
    ["--run-id=a*b", "characters"],
    [`--run-id=${"a".repeat(129)}`, "characters"],
    ["--approval-max-age-ms=1", "needs --approval-log"],
    ["a.js --entry-module=m", "not both"],
    ["--secret=echo=KEY", "not granted"],
    ["--package=p=p.js", "needs --package-integrity"],
    ["--import-hook=h=h.js", "needs --import-hook-integrity"],
    ["--named-network-cache-mode=offline", "need --named-network-cache-dir"],
    ["--named-network-cache-max-age-ms=1", "need --named-network-cache-dir"],
    ["--named-network-cache-max-entries=1", "need --named-network-cache-dir"],
    ["--named-network-cache-dir=c --named-network-cache-mode=other", "read-through or offline"],
    ["--named-network-retry-attempts=4", "0 to 3"],
    ["--model-provider=openai.responses", "need each other"],
    ["--model-api-key-env=KEY", "need each other"],
    ["--model-provider=other --model-api-key-env=KEY", "one of"],
    ["--process-command=sh=/bin/sh", "need each other"],
    ["--process-cwd=.", "need each other"],
    ["--process-env=A=b", "needs --process-command"],
  ])("is refused where it contradicts itself: %s", (words, why) => {
    expect(() => configOf(ofFlags(words), null)).toThrow(
      expect.objectContaining({ code: "USAGE", message: expect.stringContaining(why) }),
    );
  });

  it("takes a run id of 1 to 128 characters, and every number up to its largest", () => {
    const id = `a.B_9:/-${"x".repeat(120)}`;
    expect(configOf(ofFlags(`--run-id=${id}`), null).run_id).toBe(id);
    expect(configOf(ofFlags("--timeout-ms=2147483647"), null).budgets.timeout_ms).toBe(2_147_483_647);
  });
});
