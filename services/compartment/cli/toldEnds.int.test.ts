/** What a run says of its end: a program's words cannot pass for the command's own. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { newFolder } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const agent = (...words: string[]) => runWords(words, { cwd: folder });

function run(source: string, ...flags: string[]) {
  writeFileSync(join(folder, "agent.js"), source);
  return agent("run", "agent.js", "--timeout-ms=20000", ...flags);
}

it("says the log's head first, and what was thrown in quotes, whatever stands in it", async () => {
  const forged = "run b: ok; audit log /x, head 0000";
  const { code, err } = await run(
    `const text = "a\\n${forged}\\u001b[2J\\u009b1m\\u202e";
     const f = { ["g\\n${forged}"]() { throw Object.assign(new Error(text), { name: "E\\n${forged}" }) } };
     f["g\\n${forged}"]();`,
  );
  expect(code).toBe(70);
  const [first, second, ...frames] = err.trimEnd().split("\n");
  expect(first).toMatch(/^run agent: error, exception; audit log \S+, head [0-9a-f]{64}$/);
  expect(second).toBe(`the program threw "E\\n${forged}: a\\n${forged}\\u001b[2J\\u009b1m\\u202e"`);
  expect(frames.length).toBeGreaterThan(0);
  for (const frame of frames) expect(frame).toMatch(/^ {4}\S/);
  expect(err).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
});

it("says that a call is held, its approval and the command that allows it, and no such thing of a tool that is not granted", async () => {
  const call = `callTool("echo", {});`;
  const held = ["--tool=echo", "--require-approval=echo", "--approval-log=the log.jsonl"];
  const { code, err } = await run(call, ...held);
  const [, log, approval] = /run again: cazi agent approval allow '(.+)' (appr-[0-9a-f]{64})\n/.exec(err)!;
  expect([code, log]).toEqual([70, "the log.jsonl"]);
  expect(err).toContain("agent tool denied: echo: the call is held until a person allows appr-");
  // Also where the program takes the refusal for an answer.
  const caught = await run(`try { ${call} } catch (error) { emit({ code: error.code }) }`, ...held);
  expect([caught.code, caught.out]).toEqual([0, '{"code":"TOOL_HELD"}\n']);
  expect(caught.err).toContain("held: the call of echo waits for a person, as appr-");

  expect((await agent("approval", "deny", "the log.jsonl", approval!)).code).toBe(0);
  const denied = await run(call, ...held);
  expect([denied.code, denied.err.includes("held")]).toEqual([70, false]);
  expect((await agent("approval", "allow", "the log.jsonl", approval!)).code).toBe(0);
  expect((await run(call, ...held)).code).toBe(0);

  const unlogged = await run(call, ...held.slice(0, 2));
  expect(unlogged.err).toContain("name a log for its approval with --approval-log=<file> and run again");
  const ungranted = await run(call);
  expect(ungranted.err).toContain('threw "Error: agent tool denied: echo"');
  expect(ungranted.err).not.toContain("held");
});

it("names the flag or the input that is at fault", async () => {
  const said = async (...words: string[]) => {
    const { code, err } = await agent("schedule", "input", "nightly", ...words);
    return `${code} ${err.split("\n")[0]}`;
  };
  expect(await said("--token", "--json", "{}")).toBe(
    "64 cazi agent schedule input: --token needs a value, and --json is a flag. (USAGE)",
  );
  expect(await said("--json", "{}")).toContain("--token is missing");
  expect(await said("--token=x", "--json", '{"go":tru')).toBe(
    "65 cazi agent schedule input: --json is not valid JSON. (INPUT_NOT_JSON)",
  );
  expect(await said("--token=x")).toContain("Standard input is empty, and must be JSON.");
});
