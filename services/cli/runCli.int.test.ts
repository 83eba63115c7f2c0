/** Commands in this process, against an API that listens. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../../test/support/waitFor.ts";
import { testToken } from "../control-plane/testing/apiFixture.ts";
import { Rejection } from "../kernel/errors.ts";
import { type CliFixture, cliFixture } from "./testing/cliFixture.ts";

const spec = "image: cazi/toolbox:latest\ncommand: [echo, hi]\nname: listed\n";
let specFile: string;
let fixture: CliFixture;
let api: CliFixture["api"];
let url: string;
/** Addresses that were asked for. */
const requested: string[] = [];
/** Fewer where the server is one of the version before. */
let pageMax = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  fixture = await cliFixture({}, ({ app }) =>
    app.addHook("onRequest", async ({ url: asked }) => {
      requested.push(asked);
      const limit = Number(new URL(asked, "http://api").searchParams.get("limit"));
      if (limit > pageMax) throw new Rejection("REQUEST_INVALID", `/limit must be at most ${pageMax}.`);
    }),
  );
  ({ api, url } = fixture);
  specFile = join(fixture.home, "task.yaml");
  writeFileSync(specFile, spec);
});
afterAll(() => fixture.stop());

const start: CliFixture["start"] = (args, given) => fixture.start(args, given);
const cazi: CliFixture["cazi"] = (args, given) => fixture.cazi(args, given);

async function submitted(): Promise<string> {
  return (await cazi(["submit", specFile])).stdout.trim();
}

async function nextTask(before: number): Promise<string> {
  const made = () => api.ledger.events.filter((event) => "spec" in event.body);
  await waitFor("the submit", () => made().length > before);
  return made().at(-1)!.task;
}
const submits = () => api.ledger.events.filter((event) => "spec" in event.body).length;

describe("cazi", () => {
  it.each<[number, string[]]>([
    [0, ["--help"]],
    [0, ["run", "--help"]],
    [0, ["--version"]],
    [2, []],
    [2, ["frobnicate"]],
    [2, ["list", "--limit", "many"]],
    [2, ["serve", "everything"]],
    [2, ["list", "--since", "yesterday"]],
    [2, ["explain", "NO_SUCH_CODE"]],
    [3, ["get", "nope"]],
    [1, ["submit", "/nonexistent"]],
    [125, ["run"]],
    [125, ["run", "/nonexistent"]],
    [125, ["wait", "nope"]],
    [3, ["replay", "nope"]],
    [2, ["replay"]],
    [2, ["cancel", "nope", "--status", "pending"]],
    [125, ["replay", "--name", "x", "--verify"]],
    [125, ["replay", "nope", "--verify"]],
  ])("exits %d for %j", async (code, args) => {
    const result = await cazi(args);
    expect(result.code).toBe(code);
    expect(code === 0 ? result.stderr : result.stdout).toBe("");
  });

  it("begins its help with examples", async () => {
    expect((await cazi(["--help"])).stdout).toMatch(/^Examples:\n {2}cazi up/);
    expect((await cazi(["logs", "--help"])).stdout).toMatch(/^Examples:\n {2}cazi logs/);
  });

  it("answers in the form that is asked for, data alone on stdout", async () => {
    const id = await submitted();
    const forms = await Promise.all(
      ["json", "jsonl", "yaml", "table"].map((form) =>
        cazi(["get", id, "-o", form]).then(({ stdout }) => stdout),
      ),
    );
    expect(JSON.parse(forms[0]!)).toMatchObject({ id, name: "listed", who: { route: "cli" } });
    expect(JSON.parse(forms[1]!)).toEqual(JSON.parse(forms[0]!));
    expect(forms[2]).toMatch(new RegExp(`^id: ${id}$`, "m"));
    expect(forms[3]).toMatch(new RegExp(`^id +${id}$`, "m"));
    expect((await cazi(["list"])).stdout).toMatch(/^ID +STATUS .*\n.*listed/);
  });

  it("says each thing wrong with a spec, from a file or standard input", async () => {
    const bad = await cazi(["submit", "-"], { stdin: "imge: x" });
    expect(bad).toMatchObject({ code: 2, stdout: "" });
    expect(bad.stderr).toMatch(/^cazi: .*SPEC_INVALID.*\n {2}\/imge: .*did you mean image/s);
    expect((await cazi(["run", "-"], { stdin: "imge: x" })).code).toBe(125);
  });

  it("says of a folder in place of a spec which flag takes one", async () => {
    const { code, stderr } = await cazi(["run", "/tmp"]);
    expect([code, stderr]).toEqual([125, expect.stringMatching(/FILE_UNREADABLE.*\n.*run --project/s)]);
  });

  it("says in one sentence what to do when nothing runs, and refuses an unknown setting", async () => {
    const none = await cazi(["list"], { env: { CAZI_URL: "" } });
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/^cazi: no Cazi runs on .*npm start.*\n$/);
    expect(await cazi(["list"], { env: { CAZI_HOEM: "x" } })).toMatchObject({ code: 2 });
    expect(await cazi(["list"], { env: { CAZI_TOKEN: "wrong" } })).toMatchObject({ code: 4 });
  });

  it("shows settings with their origin, and no secret", async () => {
    const { stdout } = await cazi(["config"]);
    expect(stdout).toMatch(/^CAZI_URL=http\S+ {2}\(environment\)$/m);
    expect(stdout).toMatch(/^CAZI_TOKEN=\(hidden\) {2}\(environment\)$/m);
    expect(stdout).not.toContain(testToken);
    const meanings = stdout.split("\n").filter((line) => line.startsWith("  "));
    expect(meanings.length).toBeGreaterThan(20);
    expect(meanings.filter((line) => line.length > 80)).toEqual([]);
  });

  it("explains every code that it may print, without a server", async () => {
    const nowhere = { env: { CAZI_URL: "http://127.0.0.1:1" } };
    const page = await cazi(["explain", "task_not_found"], nowhere);
    expect(page).toMatchObject({ code: 0, stdout: expect.stringContaining("# TASK_NOT_FOUND") });
    expect(page.stdout).toContain("## What to do");
    expect((await cazi(["explain"], nowhere)).stdout).toMatch(/^API_UNREACHABLE +-$/m);
    const data = JSON.parse((await cazi(["explain", "TASK_ERASED", "-o", "json"], nowhere)).stdout);
    expect(data).toMatchObject({ code: "TASK_ERASED", status: 410, type: "/problems/TASK_ERASED" });
  });

  it("sends the filters of a list to the API", async () => {
    const filters = [
      "--image",
      "alpine",
      "--node",
      "n1",
      "--replay-of",
      "x",
      "--reason",
      "oom",
      "--exit-code",
      "3",
    ];
    const times = ["--since", "1h", "--until", "2026-11-29"];
    expect((await cazi(["list", ...filters, ...times])).code).toBe(0);
    const query = Object.fromEntries(new URL(requested.at(-1)!, url).searchParams);
    expect(query).toMatchObject({
      ...{ image: "alpine", node: "n1", replay_of: "x", reason: "oom", exit_code: "3" },
      submitted_before: "2026-11-29T00:00:00.000Z",
      submitted_after: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it("looks through a log over any number of pages, with the time that it was asked at", async () => {
    const id = await submitted();
    const bytes = Buffer.alloc(1024 ** 2, "nothing here\n");
    const sizes = Array.from({ length: 40 }, (_, n) => n * bytes.length);
    const of = { task: id, node: "n1", attempt: 1, stream: "stdout", at: Date.now(), dropped: null } as const;
    for (const offset of sizes) api.chunks.push({ ...of, offset, bytes });
    const text = Buffer.from("\na Needle\n");
    api.chunks.push({ ...of, offset: sizes.length * bytes.length, bytes: text });
    const asked = requested.length;
    const { stdout } = await cazi(["logs", id, "--grep", "needle", "-i", "--since", "1h"]);
    expect(stdout).toBe("a Needle\n");
    const pages = requested.slice(asked).map((one) => Object.fromEntries(new URL(one, url).searchParams));
    expect(pages[0]).toMatchObject({ since: expect.stringMatching(/^\d{4}-.*Z$/), grep: "needle" });
    expect(pages[1]).toMatchObject({ after: expect.any(String), grep: "needle", ignore_case: "true" });
    expect((await cazi(["logs", id, "--tail", "1", "--grep", "absent"])).stderr).toContain("only the end");
    expect(await cazi(["logs", id, "--offset", "3"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/offset"),
    });
  });

  it("reads a log of a server whose pages are shorter", async () => {
    const id = await submitted();
    const of = { task: id, node: "n1", attempt: 1, stream: "stdout", at: Date.now(), dropped: null } as const;
    api.chunks.push({ ...of, offset: 0, bytes: Buffer.from("a line\n") });
    pageMax = 1_000;
    try {
      expect(await cazi(["logs", id])).toMatchObject({ code: 0, stdout: "a line\n" });
    } finally {
      pageMax = Number.POSITIVE_INFINITY;
    }
  });

  it("ends quietly when its reader leaves", async () => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
    });
    expect(await cazi(["list"], { stdout })).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("cazi run", () => {
  it("prints both streams' bytes, also after the end, and exits with the task's code", async () => {
    const before = submits();
    const run = start(["run", specFile]);
    const id = await nextTask(before);
    api.chunks.length = 0;
    const chunk = { node: "n1", attempt: 1, at: 1, dropped: null } as const;
    api.chunks.push({ ...chunk, stream: "stdout", offset: 0, bytes: Buffer.from("a\nb") });
    api.chunks.push({ ...chunk, stream: "stderr", offset: 0, bytes: Buffer.from("warn\n") });
    await api.run(id, { exit_code: 7, stdout: 3 });
    expect(await run.done).toMatchObject({ code: 7, stdout: "a\nb" });
    api.chunks.length = 0;
  });

  it("cancels the task at an interrupt and waits for its end", async () => {
    const before = submits();
    const run = start(["run", specFile]);
    await nextTask(before);
    run.signals.emit("SIGINT", "SIGINT");
    const done = await run.done;
    expect(done.code).toBe(130);
    expect(done.stderr).toContain("was cancelled: SIGINT in cazi run");
    expect(run.exits).toEqual([]);
  });

  it("leaves the task running at an interrupt when told so", async () => {
    const before = submits();
    const run = start(["run", "--detach-on-interrupt", specFile]);
    const id = await nextTask(before);
    run.signals.emit("SIGINT", "SIGINT");
    const done = await run.done;
    expect(done).toMatchObject({ code: 130, stderr: expect.stringContaining(`cazi logs -f ${id}`) });
    expect(JSON.parse((await cazi(["get", id, "-o", "json"])).stdout)).toMatchObject({ status: "pending" });
  });
});

describe("one command for many tasks", () => {
  const ofName = (name: string) => async () => {
    const file = join(fixture.home, `${name}.yaml`);
    writeFileSync(file, `image: cazi/toolbox:latest\nname: ${name}\n`);
    return (await cazi(["submit", file])).stdout.trim();
  };
  const count = () => api.ledger.events.length;

  it("shows what it would do, and does nothing where nobody can be asked", async () => {
    const id = await ofName("asked")();
    const before = count();
    const refused = await cazi(["cancel", "--name", "asked"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("would cancel 1 task:");
    expect(refused.stderr).toContain(id);
    expect(refused.stderr).toContain("Add --yes to do it");
    const looked = await cazi(["cancel", "--name", "asked", "--dry-run", "-o", "json"]);
    expect([looked.code, JSON.parse(looked.stdout)]).toMatchObject([0, { count: 1, tasks: [{ id }] }]);
    expect(count()).toBe(before);
    expect(await cazi(["cancel", "--name", "nobody's"])).toMatchObject({ code: 0, stdout: "" });
  });

  it("cancels and replays all that match with --yes, and a repeat with its key makes nothing new", async () => {
    const submit = ofName("many");
    const ids = [await submit(), await submit()];
    const cancelled = await cazi(["cancel", "--name", "many", "--yes", "--reason", "wrong input"]);
    expect(cancelled).toMatchObject({ code: 0, stdout: "" });
    expect(cancelled.stderr).toContain("2 cancelled");
    const key = ["--idempotency-key", "again"];
    const replayed = await cazi(["replay", "--name", "many", "--yes", ...key]);
    expect(replayed.stderr).toContain("2 replayed");
    const made = replayed.stdout.trim().split("\n");
    expect(made).toHaveLength(2);
    const repeated = await cazi(["replay", "--name", "many", "--yes", "-o", "json", ...key]);
    expect(JSON.parse(repeated.stdout)).toMatchObject(
      ids.map((id, at) => ({ id, outcome: "repeated", replay: made[at] })),
    );
  });
});

describe("cazi replay --verify", () => {
  const print = (task: string, text: string) => {
    const chunk = { node: "n1", attempt: 1, stream: "stdout", offset: 0, at: 1, dropped: null } as const;
    api.chunks.push({ ...chunk, task, bytes: Buffer.from(text) });
  };
  async function ended(): Promise<string> {
    const id = await submitted();
    print(id, "hi\n");
    await api.run(id, { stdout: 3 });
    return id;
  }
  /** Verifies a task whose replay prints `text`. */
  async function verified(text: string, more: readonly string[] = []) {
    const id = await ended();
    const before = submits();
    const verify = start(["replay", id, "--verify", ...more]);
    const replay = await nextTask(before);
    print(replay, text);
    await api.run(replay, { stdout: text.length });
    return { id, replay, ...(await verify.done) };
  }

  it("exits 0 when exit code and output are the same", async () => {
    const { code, stdout } = await verified("hi\n");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^same: /);
  });

  it("exits 1 and shows the first difference when they are not, as text or as data", async () => {
    const different = await verified("ho\n");
    expect(different.code).toBe(1);
    expect(different.stdout).toContain("first difference at byte 1, line 1\n    - hi\\n\n    + ho\\n\n");
    const data = await verified("ho\n", ["-o", "json"]);
    expect(data.code).toBe(1);
    expect(JSON.parse(data.stdout)).toMatchObject({ task: data.replay, with: data.id, same: false });
  });

  it("exits 125 when the replay never ran, or there is no end to compare with", async () => {
    const id = await ended();
    const before = submits();
    const verify = start(["replay", id, "--verify"]);
    const replay = await nextTask(before);
    await cazi(["cancel", replay]);
    expect((await verify.done).code).toBe(125);
    const running = await submitted();
    const count = submits();
    expect(await cazi(["replay", running, "--verify"])).toMatchObject({
      code: 125,
      stderr: expect.stringContaining("TASK_NOT_ENDED"),
    });
    expect(submits()).toBe(count);
  });
});

describe("cazi wait", () => {
  it("exits 125 when its own limit passes first, and as the task did otherwise", async () => {
    const id = await submitted();
    expect(await cazi(["wait", id, "--timeout", "0"])).toMatchObject({
      code: 125,
      stderr: expect.stringContaining("is pending after 0 s"),
    });
    await api.run(id, { exit_code: 3 });
    expect(await cazi(["wait", id])).toEqual({ code: 3, stdout: "", stderr: "" });
  });
});
