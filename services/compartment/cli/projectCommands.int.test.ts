import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { takeFileLock } from "../locks/fileLock.ts";
import { guestSurfaces, recordTypes } from "../policy/abiReport.ts";
import { newFolder, runProgram } from "../testing/runProgram.ts";
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
const agent = (...words: string[]) => runWords(words, { cwd: folder });
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const PATIENT = "--timeout-ms=20000";

async function project(): Promise<void> {
  expect((await agent("init", "p")).code).toBe(0);
  put("p/lib/package.json", "{}");
  put("p/lib/index.js", "export default 1;");
  expect((await agent("add-package", "lib=p/lib", "--project=p")).code).toBe(0);
  expect((await agent("set-session", "p/session.json", "--project=p")).code).toBe(0);
  expect((await agent("run", "--project=p", PATIENT)).code).toBe(0);
}

describe("agent history", () => {
  it("lists each run with its end, the older ones of the same name too, and refuses a log that was edited", async () => {
    await project();
    put("p/agent.js", "throw new Error('no');");
    expect((await agent("run", "--project=p", PATIENT)).code).toBe(70);
    const listed = await agent("history", "p", "--json");
    const runs = (JSON.parse(listed.out) as { runs: object[] }).runs;
    expect({ code: listed.code, runs }).toMatchObject({
      code: 0,
      runs: [
        { state: "complete", status: "ok", events: 2, tool_calls: 1 },
        { state: "complete", status: "error", reason: "exception", events: 0 },
      ],
    });
    put("p/audit/run.jsonl", read("p/audit/run.jsonl").replace('"status":"error"', '"status":"ok"'));
    expect(await agent("history", "p")).toMatchObject({ code: 65, out: expect.stringContaining("refused") });
    expect(await agent("history", "nothing")).toMatchObject({ code: 0, out: "" });
  });
});

describe("agent bundle", () => {
  it("carries a project and a run of it, and is verified where it arrives", async () => {
    await project();
    const made = await agent("bundle", "p", "--audit-log=p/audit/run.jsonl", "--out=b.json", "--json");
    const { sha256 } = JSON.parse(made.out) as { sha256: string };
    const { files } = JSON.parse(read("b.json")) as { files: { path: string }[] };
    expect(files.map(({ path }) => path)).toEqual([
      "agent-policy.json",
      "agent.js",
      "lib/index.js",
      "lib/package.json",
    ]);
    expect((await agent("bundle-verify", "b.json", `--expect-sha256=${sha256}`)).code).toBe(0);
    expect((await agent("bundle-verify", "b.json", "--expect-sha256=0")).code).toBe(65);
    expect((await agent("bundle", "p", "--out=b.json")).code).toBe(74);
    expect((await agent("bundle", "p", "--out=c.json", "--json")).out).not.toContain(sha256);
  });

  it("is refused when anything in it was changed, and by its own fingerprint when that was changed along", async () => {
    await project();
    await agent("bundle", "p", "--audit-log=p/audit/run.jsonl", "--out=b.json");
    const bundle = JSON.parse(read("b.json")) as {
      files: { path: string; text: string }[];
      audit: { text: string };
    };
    const refused = async (change: (draft: typeof bundle) => void) => {
      const draft = structuredClone(bundle);
      change(draft);
      put("x.json", JSON.stringify(draft));
      return (await agent("bundle-verify", "x.json", "--json")).out;
    };
    expect(await refused((draft) => (draft.files[1]!.text += " "))).toContain(
      "agent.js is not what was bundled",
    );
    expect(await refused((draft) => (draft.files[1]!.path = "../evil.js"))).toContain(
      "leads out of the project",
    );
    expect(await refused((draft) => draft.files.pop())).toContain("its fingerprint is not its own");
    expect(await refused((draft) => (draft.audit.text = ""))).toContain("its fingerprint is not its own");
    expect(await refused((draft) => Object.assign(draft, { files: 1 }))).toContain("not a bundle");
  });

  it("is not made of what is outside of the project or not pinned as it is, nor of another program's run", async () => {
    await project();
    put("out.js", "");
    await agent("add-module", "./out=out.js", "--project=p");
    expect(await agent("bundle", "p")).toMatchObject({ code: 65, err: expect.stringContaining("outside") });
    await agent("remove-module", "./out", "--project=p");
    put("p/lib/index.js", "export default 2;");
    expect((await agent("bundle", "p")).code).toBe(65);
    put("p/lib/index.js", "export default 1;");
    put("p/agent.js", "emit({});");
    await agent("bundle", "p", "--audit-log=p/audit/run.jsonl", "--out=b.json");
    expect((await agent("bundle-verify", "b.json")).out).toContain("its run is one of another program");
  });
});

describe("agent reset", () => {
  it("puts aside what runs left, says so beforehand, and puts it back", async () => {
    await project();
    const at = "--project=p";
    expect(
      (await agent("schedule", "start", "--project=p", "--job-id=j", "--store=p/.cazi/agent/jobs")).code,
    ).toBe(0);
    const dry = JSON.parse((await agent("reset", at, "--dry-run", "--json")).out) as { items: string[] };
    expect(dry.items).toEqual([".cazi/agent/jobs", "session.json"]);
    expect(existsSync(join(folder, "p/session.json"))).toBe(true);
    expect((await agent("reset", at)).code).toBe(0);
    expect(existsSync(join(folder, "p/session.json"))).toBe(false);
    expect((await agent("schedule", "list", "--store=p/.cazi/agent/jobs")).out).toBe("");
    expect(await agent("reset", at)).toMatchObject({ code: 0, out: "There is nothing to put aside.\n" });
    expect((await agent("reset", at, "--rollback")).code).toBe(0);
    expect(read("p/session.json")).toContain('"turn_id":1');
    expect((await agent("schedule", "tick", "j", "--store=p/.cazi/agent/jobs")).code).toBe(0);
    expect((await agent("reset", at, "--rollback")).code).toBe(66);
  });

  it("moves no job that a living process works on, and replaces nothing when it puts back", async () => {
    await project();
    await agent("schedule", "start", "--project=p", "--job-id=j", "--store=p/.cazi/agent/jobs");
    const unlock = takeFileLock(join(folder, "p/.cazi/agent/jobs/j/lock"))!;
    expect((await agent("reset", "p")).code).toBe(75);
    unlock();
    expect((await agent("reset", "p")).code).toBe(0);
    put("p/session.json", "mine");
    expect((await agent("reset", "p", "--rollback")).code).toBe(74);
    expect(read("p/session.json")).toBe("mine");
  });
});

describe("agent abi", () => {
  it("names every surface that a program has, and every record that these tests ever saw", async () => {
    const abi = JSON.parse((await agent("abi", "--json")).out) as { guest_surfaces: object };
    expect(abi).toMatchObject({ type: "agent_abi", exit_codes: { unsupported: 78 } });
    const run = await runProgram(
      `emit({ own: Object.keys(globalThis) }); callTool("echo", {}); state.set("a", 1); auditNote({}); close();`,
      { flags: ["--tool=echo"] },
    );
    const own = (run.events[0] as unknown as { own: string[] }).own;
    expect([...own, "scheduler"].sort()).toEqual(Object.keys(guestSurfaces).sort());
    expect(run.records.map(({ type }) => type).filter((type) => !recordTypes.includes(type))).toEqual([]);
  });
});
