/** One story that runs every command, once for programs and once for people; and every exit code, once. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openJournal } from "../jobs/journalFile.ts";
import { newFolder } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";
import { commandTable } from "./commandTable.ts";

const folders: string[] = [];
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});
function freshFolder(): string {
  const folder = newFolder();
  folders.push(folder);
  return folder;
}

const edits = `add-tool echo | remove-tool echo | add-tool echo | add-module ./m=p/lib/index.js | remove-module ./m
add-package lib=p/lib | remove-package lib | add-import-hook h=p/lib/index.js | remove-import-hook h
set-budget max-events 9 | unset-budget max-events | set-session p/s.json | unset-session
set-worker | unset-worker | set-context {"goal":"x"} | unset-context | set-budget timeout-ms 30000`;

/** Words, and the type of what is said with --json. What begins with `$` is known by then. */
const story: readonly (readonly [words: string, type: string, code?: number])[] = [
  ["template list", "agent_template_list"],
  ["template describe blank", "agent_template"],
  ["tool list", "agent_tool_list"],
  ["tool describe echo", "agent_tool"],
  ["abi", "agent_abi"],
  ["init p", "agent_init"],
  ["hash p/agent.js --kind=file", "agent_hash"],
  ...edits.split(/ \| |\n/).map((words) => [`${words} --project=p`, "agent_policy_edit"] as const),
  ["policy validate p --strict", "agent_policy_validation"],
  ["policy explain p", "agent_policy_explanation"],
  ["policy risk p", "agent_policy_risk"],
  ["policy diff p p", "agent_policy_diff"],
  ["doctor --project=p", "agent_doctor"],
  ["run --project=p", "agent_run"],
  ["replay p/audit/run.jsonl", "agent_replay"],
  ["replay --diff --events p/audit/run.jsonl p/audit/run.jsonl", "agent_replay_diff"],
  ["history p", "agent_history"],
  ["bundle p --out=b.json", "agent_bundle"],
  ["bundle-verify b.json", "agent_bundle_verification"],
  [
    "run --project=p --require-approval=echo --approval-log=a.jsonl --run-id=held --audit-log=h.jsonl",
    "agent_run",
    70,
  ],
  ["approval inbox a.jsonl", "agent_approval_inbox"],
  ["approval allow a.jsonl $approval --reason=yes", "approval_decision"],
  ["approval deny a.jsonl $approval", "approval_decision"],
  ["schedule start wait.js --job-id=j --tool=writeArtifact --timeout-ms=30000", "agent_job_started"],
  ["schedule tick j", "agent_job_tick"],
  ["schedule status j", "cazi_agent_job_manifest"],
  ["schedule list", "agent_job_list"],
  ["schedule input j --token $token --json {}", ""],
  ["schedule tick j", "agent_job_tick"],
  ["schedule resolve j --call 0 --fail", "agent_job"],
  ["schedule tick j", "agent_job_tick"],
  ["schedule cancel j", "agent_job"],
  ["schedule replay j", "agent_job_replay"],
  ["reset .", "agent_reset"],
];

/** A process that died between an effect and the record of what came of it. */
function forgetOutcome(folder: string): void {
  const journal = openJournal(join(folder, ".cazi/agent/jobs/j/journal.jsonl"));
  const args = '{"path":"a","content":"a"}';
  journal.append({ t: "intent", call: 0, tool: "writeArtifact", args, repeatable: false });
  journal.close();
}

function found(folder: string, word: string): string {
  if (word === "$approval") return /appr-[0-9a-f]+/.exec(readFileSync(join(folder, "a.jsonl"), "utf8"))![0];
  if (word !== "$token") return word;
  const manifest = readFileSync(join(folder, ".cazi/agent/jobs/j/manifest.json"), "utf8");
  return /"token": "([0-9a-f]+)"/.exec(manifest)![1]!;
}

describe("every command", () => {
  it("is part of the story", () => {
    const told = commandTable.filter(({ name }) =>
      story.some(([words]) => `${words} `.startsWith(`${name} `)),
    );
    expect(told.map(({ name }) => name)).toEqual(commandTable.map(({ name }) => name));
  });

  it.each(["--json", "--human"])("does its part with %s", async (form) => {
    const folder = freshFolder();
    mkdirSync(join(folder, "p/lib"), { recursive: true });
    writeFileSync(join(folder, "p/lib/index.js"), "export default 1;");
    writeFileSync(join(folder, "p/lib/package.json"), "{}");
    const source = `await scheduler.waitForInput(); try { callTool("writeArtifact", { path: "a", content: "a" }) }
      catch (e) { emit({ code: e.code }) } await scheduler.sleep(60000)`;
    writeFileSync(join(folder, "wait.js"), source);
    for (const [line, type, code = 0] of story) {
      const words = line.split(" ").map((word) => found(folder, word));
      const said = await runWords([...words, ...(type === "" ? [] : [form])], { cwd: folder });
      expect({ line, code: said.code, err: code === 0 ? said.err.match(/cazi agent .*: .*/) : null }).toEqual(
        {
          line,
          code,
          err: null,
        },
      );
      if (form === "--json" && type !== "") {
        expect([line, said.out.split("\n").length]).toEqual([line, 2]);
        expect([line, JSON.parse(said.out)]).toMatchObject([line, { type }]);
      }
      if (line.startsWith("schedule resolve")) expect(said.out).toContain("awaiting_tool");
      if (line.startsWith("schedule input")) forgetOutcome(folder);
    }
  });

  it("gives one form at a time", async () => {
    for (const { name, flags, positionals } of commandTable) {
      if (flags.json?.kind !== "switch") continue;
      const words = [...name.split(" "), ...Array(positionals[0]).fill("x"), "--json", "--human"];
      expect([name, (await runWords(words, { cwd: freshFolder() })).code]).toEqual([name, 64]);
    }
  });
});

describe("every exit code", () => {
  it("is that of its kind of failure", async () => {
    const folder = freshFolder();
    const agent = async (line: string) => (await runWords(line.split(" "), { cwd: folder })).code;
    writeFileSync(join(folder, "good.js"), "emit({});");
    writeFileSync(join(folder, "bad.js"), "throw 1;");
    writeFileSync(join(folder, "ask.js"), "await scheduler.waitForInput();");
    expect(await agent("run good.js --timeout-ms=30000")).toBe(0);
    appendFileSync(join(folder, ".cazi/agent/audit/good.jsonl"), "{}\n");
    await agent("schedule start ask.js --job-id=j --timeout-ms=30000");
    expect(await agent("schedule tick j")).toBe(0);
    const codes: readonly (readonly [number, string])[] = [
      [64, "run good.js --tol=echo"],
      [64, "hash good.js --kind=other"],
      [65, "replay .cazi/agent/audit/good.jsonl"],
      [66, "run missing.js"],
      [66, "hash good.js --kind=package"],
      [66, "hash . --kind=file"],
      [70, "run bad.js --timeout-ms=30000"],
      [74, "run good.js --audit-log=bad.js"],
      [75, "schedule tick j"],
      [76, "schedule input j --token no --json 1"],
      [78, "run good.js --tool=process"],
      [78, "run good.js --tool=shell --run-id=shell"],
    ];
    for (const [code, line] of codes) expect([line, await agent(line)]).toEqual([line, code]);
  });
});
