import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { budgetRules } from "../budgets/budgets.ts";
import { parsePolicy } from "../policy/policyFile.ts";
import { templates } from "../policy/templates.ts";
import { newFolder, runProgram } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const agent = (...words: string[]) => runWords(words, { cwd: folder });

describe("a project", () => {
  it.each(templates.map(({ name }) => name))(
    "from the template %s validates strictly and runs",
    async (name) => {
      expect((await agent("init", name, `--template=${name}`)).code).toBe(0);
      const validated = await agent("policy", "validate", "--strict", "--project-confined", name);
      expect(validated).toMatchObject({ code: 0, out: expect.stringContaining("is valid") });
      expect(await agent("run", `--project=${name}`, "--timeout-ms=20000")).toMatchObject({ code: 0 });
      expect(await agent("doctor", "--project", name, "--json")).toMatchObject({ code: 0 });
      expect((await agent("init", name, `--template=${name}`)).code).toBe(74);
    },
  );

  it("pins the budgets of the review templates", () => {
    const review = templates.find(({ name }) => name === "package-review")!;
    const { settings } = parsePolicy(review.files["agent-policy.json"]!, "/x");
    expect(settings.budgets).toMatchObject({
      timeout_ms: 500,
      tool_timeout_ms: 250,
      max_events: 16,
      max_steps: 100_000,
    });
  });
});

describe("a policy that is edited", () => {
  it("grants, pins, sets and takes back, and stays valid", async () => {
    await agent("init", "edited", "--template=blank");
    const at = "--project=edited";
    writeFileSync(join(folder, "edited/lib.js"), "export default 1;");
    const edits = [
      ["add-tool", "echo"],
      ["add-package", "lib=edited/lib.js"],
      ["add-module", "./m=edited/lib.js"],
      ["add-import-hook", "hook=edited/lib.js"],
      ["set-context", '{"goal":"x"}'],
      ["set-budget", "max-events", "7"],
      ["set-session", "edited/session.json"],
    ];
    for (const words of edits) expect((await agent(...words, at)).code).toBe(0);
    const read = () =>
      JSON.parse(readFileSync(join(folder, "edited/agent-policy.json"), "utf8")) as Record<string, unknown>;
    expect(read()).toMatchObject({
      tools: ["echo"],
      packages: { lib: "lib.js" },
      package_integrity: { lib: expect.stringMatching(/^fnv1a64:[0-9a-f]{16},sha256:[0-9a-f]{64}$/) },
      context: { goal: "x" },
      session_file: "session.json",
      budgets: { max_events: 7 },
    });
    const validated = await agent("policy", "validate", "--strict", "--project-confined", "edited");
    expect(validated).toMatchObject({ code: 0, out: expect.not.stringContaining("weak") });
    const undo = [
      ["remove-tool", "echo"],
      ["remove-package", "lib"],
      ["remove-module", "./m"],
      ["remove-import-hook", "hook"],
      ["unset-context"],
      ["unset-budget", "max-events"],
      ["unset-session"],
    ];
    for (const words of undo) expect((await agent(...words, at)).code).toBe(0);
    expect(read()).toMatchObject({ tools: [], packages: {}, package_integrity: {}, modules: {} });
    expect(read()).not.toHaveProperty("context");
    for (const words of [
      ["add-tool", "nope"],
      ["remove-tool", "echo"],
      ["set-budget", "max-evens", "1"],
      ["set-budget", "max-events", "-1"],
      ["add-module", "x"],
    ]) {
      expect((await agent(...words, at)).code).toBe(64);
    }
  });
});

describe("a session", () => {
  it("counts turns and remembers nothing else", async () => {
    const own = newFolder();
    const source = `state.set("count", (state.get("count") ?? 0) + 1); emit({ count: state.get("count") });`;
    const runs = [];
    for (let n = 0; n < 2; n++)
      runs.push(await runProgram(source, { folder: own, flags: ["--session-file=s.json"] }));
    expect(runs.map(({ events }) => events)).toEqual([[{ count: 1 }], [{ count: 1 }]]);
    expect(runs.map((run) => run.of("session_save")[0]!.turn_id)).toEqual([1, 2]);
    expect(JSON.parse(readFileSync(join(own, "s.json"), "utf8"))).toMatchObject({ turn_id: 2 });
    rmSync(own, { recursive: true });
  });

  it("takes the state that its operator feeds back, and shows it at the end", async () => {
    const run = await runProgram(
      `emit({ list: state.list(), k: state.get("k"), gone: state.delete("k"), none: state.get("k") === undefined });
      state.set("__proto__", 1); state.set("j", [2]);`,
      { flags: ['--state-json={"k":{"a":1}}'] },
    );
    expect(run.events).toEqual([{ list: ["k"], k: { a: 1 }, gone: true, none: true }]);
    expect(run.log).toContain('"state":{"__proto__":1,"j":[2]}');
  });
});

describe("the doctor", () => {
  it("says the posture in the documents' words, and what is not there", async () => {
    const { out, code } = await agent("doctor");
    expect(code).toBe(0);
    expect(out).toContain('"tools": "explicit_registry"');
    expect(out).toContain('"ambient_authority": "denied_by_default"');
    expect(out).toContain('"public_claim_predicate": "sandbox claims must be scoped to listed controls"');
    expect(out).toContain("process_tool_supervisor_required_not_available");
  });

  it("finds a project that cannot run", async () => {
    expect((await agent("doctor", "--project", "nowhere")).code).toBe(65);
  });

  it("names no budget that has no rule", () => {
    for (const rule of Object.values(budgetRules)) expect(rule.about).not.toBe("");
  });
});
