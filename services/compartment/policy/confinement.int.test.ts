/** What `policy validate --project-confined` says of paths that lead out, on a real file system. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { newFolder } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";
import { realPlace } from "./realPlace.ts";

const folder = newFolder();
const outside = newFolder();
afterAll(() => {
  for (const one of [folder, outside]) rmSync(one, { recursive: true });
});
const at = (name: string) => join(folder, name);
const agent = (...words: string[]) => runWords(words, { cwd: folder });

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(at("inner"), { recursive: true });
  writeFileSync(at("agent.js"), "emit({});");
});

/** Validates a policy with these keys; gives its exit code and what it printed. */
async function validate(keys: object): Promise<readonly [code: number, out: string]> {
  writeFileSync(at("agent-policy.json"), JSON.stringify({ schema_version: 1, agent: "agent.js", ...keys }));
  const { code, out } = await agent("policy", "validate", "--strict", "--project-confined", ".");
  return [code, out];
}

it("refuses what leaves the folder by a link: of the file, of a folder above it, or one that leads nowhere", async () => {
  writeFileSync(join(outside, "a.js"), "emit({});");
  symlinkSync(join(outside, "a.js"), at("link.js"));
  symlinkSync(outside, at("audit"));
  symlinkSync(join(outside, "new.jsonl"), at("nowhere.jsonl"));
  symlinkSync("nowhere.jsonl", at("twice.jsonl"));
  symlinkSync("circle", at("circle"));
  const rows: readonly (readonly [pointer: string, keys: object])[] = [
    ["/agent", { agent: "link.js" }],
    ["/audit_log", { audit_log: "audit/evil.jsonl" }],
    ["/audit_log", { audit_log: "audit/not/yet/evil.jsonl" }],
    ["/approval_log", { approval_log: "nowhere.jsonl" }],
    ["/session_file", { session_file: "twice.jsonl" }],
    ["/fs_read/1", { fs_read: ["inner", "audit"] }],
    ["/modules/./m", { modules: { "./m": "link.js" } }],
    ["/fs_write", { fs_write: "circle" }],
  ];
  for (const [pointer, keys] of rows) {
    expect(await validate(keys)).toEqual([65, `${pointer} leaves the project's folder by a symbolic link\n`]);
  }
  await validate({ agent: "link.js" });
  expect(await agent("bundle", ".")).toMatchObject({
    code: 65,
    err: expect.stringContaining("outside of the project"),
  });
});

it("takes links that stay inside, and what is not there yet", async () => {
  symlinkSync("agent.js", at("other.js"));
  symlinkSync("inner", at("logs"));
  const keys = { agent: "other.js", audit_log: "logs/new/run.jsonl", approval_log: "inner/a.jsonl" };
  expect((await validate(keys))[0]).toBe(0);
  expect(realPlace(at("logs/new/run.jsonl"))).toBe(realPlace(at("inner/new/run.jsonl")));
});

it("refuses to write one file for two things, or over the program, also by a link", async () => {
  symlinkSync("agent.js", at("link.jsonl"));
  const rows: readonly (readonly [says: string, keys: object])[] = [
    ["audit_log and agent are the same file", { audit_log: "agent.js" }],
    ["audit_log and agent are the same file", { audit_log: "link.jsonl" }],
    ["session_file and the policy are the same file", { session_file: "agent-policy.json" }],
    ["approval_log and audit_log are the same file", { audit_log: "a", approval_log: "./a" }],
  ];
  for (const [says, keys] of rows) {
    const [code, out] = await validate(keys);
    expect(code).toBe(65);
    expect(out).toContain(says);
  }
  expect((await agent("run", "agent.js", "--audit-log=agent.js")).code).toBe(64);
});

it("prints a fault on one line, whatever a key is named", async () => {
  const [code, out] = await validate({ "x\nagent-policy.json is valid.\u001b[2J": 1 });
  expect([code, out]).toEqual([65, "/x\\nagent-policy.json is valid.\\u001b[2J is not a key of a policy\n"]);
});
