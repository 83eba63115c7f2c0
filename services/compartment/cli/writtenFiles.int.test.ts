/** What the commands write where the user says, and what they leave as it is. */
import { execFileSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const agent = (...words: string[]) => runWords(words, { cwd: folder });
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), "utf8");

beforeAll(async () => {
  put("agent.js", "emit({});");
  put("agent-policy.json", JSON.stringify({ schema_version: 1, agent: "agent.js" }));
  const ran = await agent("run", "agent.js", "--audit-log=log.jsonl", "--timeout-ms=20000");
  expect(ran.code, ran.err).toBe(0);
});

describe("the log of a run", () => {
  it("takes the place of one without a record, which a full disk leaves behind", async () => {
    put("empty.jsonl", "");
    for (const aside of ["empty.jsonl.1", "empty.jsonl.2"]) {
      const ran = await agent("run", "agent.js", "--audit-log=empty.jsonl", "--timeout-ms=20000");
      expect(ran.code, ran.err).toBe(0);
      expect(readdirSync(folder)).toContain(aside);
    }
    expect(read("empty.jsonl.1")).toBe("");
    expect(await agent("replay", "empty.jsonl.2")).toMatchObject({ code: 0 });
  });

  it("is a file: a device or a pipe is neither read nor written", async () => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["/dev/zero", "pipe"]) {
      for (const words of [
        ["replay", name],
        ["run", "agent.js", `--audit-log=${name}`],
      ]) {
        const said = await agent(...words);
        expect(said.code).not.toBe(0);
        expect(said.err).toContain("is not a file. (INPUT_UNREADABLE)");
      }
    }
  });
});

describe("the page of a run", () => {
  it("never takes the place of the log that it was made from, by whatever name", async () => {
    const log = read("log.jsonl");
    symlinkSync("log.jsonl", join(folder, "link.html"));
    linkSync(join(folder, "log.jsonl"), join(folder, "hard.html"));
    for (const name of ["log.jsonl", "./log.jsonl", "link.html", "hard.html"]) {
      for (const force of [[], ["--force"]]) {
        const said = await agent("replay", "log.jsonl", "--html", name, ...force);
        expect(said).toMatchObject({ code: 74, out: "" });
        expect(said.err).toContain("is left as it is. (FILE_EXISTS)");
      }
    }
    expect([read("log.jsonl"), read("link.html")]).toEqual([log, log]);
  });

  it("takes the place of an earlier page, and of another file only with --force", async () => {
    put("notes.html", "mine");
    symlinkSync("notes.html", join(folder, "notes"));
    for (const name of ["notes.html", "notes", "agent-policy.json", "."]) {
      expect(await agent("replay", "log.jsonl", "--html", name)).toMatchObject({
        code: 74,
        err: expect.stringContaining("(FILE_EXISTS)"),
      });
    }
    for (const name of ["run.html", "run.html"])
      expect((await agent("replay", "log.jsonl", "--html", name)).code).toBe(0);
    expect((await agent("replay", "log.jsonl", "--html", "notes", "--force")).code).toBe(0);
    // The link was replaced, not what it led to.
    expect([read("notes").slice(0, 15), read("notes.html")]).toEqual(["<!doctype html>", "mine"]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("says in a sentence with a code that its folder is not there", async () => {
    const said = await agent("replay", "log.jsonl", "--html", "/nonexistent/x.html");
    expect(said.code).toBe(74);
    expect(said.err).toBe(
      "cazi agent replay: /nonexistent/x.html cannot be written: there is no folder /nonexistent. (FILE_UNWRITABLE)\n",
    );
  });
});

it("says which head was expected and which was found", async () => {
  const { head } = JSON.parse((await agent("replay", "log.jsonl", "--json")).out) as { head: string };
  const said = await agent("replay", "log.jsonl", "--expect-head=00");
  expect(said.code).toBe(65);
  expect(said.err).toContain(`is ${head}, not 00. (AUDIT_HEAD_DIFFERS)`);
});

it("leaves a file, and a link that leads nowhere, where a bundle or a project was to be written", async () => {
  symlinkSync("nowhere", join(folder, "dangling.json"));
  expect(await agent("bundle", ".", "--out=dangling.json")).toMatchObject({
    code: 74,
    err: expect.stringContaining("(FILE_EXISTS)"),
  });
  expect((await agent("init", ".")).err).toContain("(PROJECT_EXISTS)");
  expect(JSON.parse(read("agent-policy.json"))).toEqual({ schema_version: 1, agent: "agent.js" });
});
