import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { CHAIN_START, openLine, sealLine } from "../audit/auditChain.ts";
import { loadEngine } from "../engine/engineModule.ts";
import { startGuestThread } from "../engine/guestThread.ts";
import { sha256 } from "../membrane/sha256.ts";
import { newFolder } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";
import { openJournal } from "./journalFile.ts";

let folder = newFolder();
let nowMs = 1_700_000_000_000;
const folders: string[] = [folder];
beforeEach(() => {
  folder = newFolder();
  folders.push(folder);
  nowMs = 1_700_000_000_000;
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});

const clock = { now: () => nowMs, monotonicMs: () => performance.now() };
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const agent = (...words: string[]) => runWords(words, { cwd: folder, clock });
const PATIENT = "--timeout-ms=20000";

async function start(source: string, ...flags: string[]) {
  put("agent.js", source);
  const said = await agent("schedule", "start", "agent.js", "--job-id=j", PATIENT, ...flags);
  expect(said).toMatchObject({ code: 0, out: "j\n" });
}
const tick = async () => {
  const said = await agent("schedule", "tick", "j");
  const status = (await job()).status;
  return {
    code: said.code,
    events: said.out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown),
    status,
  };
};
const job = async () =>
  JSON.parse((await agent("schedule", "status", "j", "--json")).out) as {
    status: string;
    reason: string | null;
    turn_cursor: number;
    awaits: { kind: string; token?: string; due_ms?: number; approval_id?: string }[];
    unknown: { call: number; tool: string }[];
    budget_ledger: object;
  };

const auditText = () => {
  const audit = join(folder, ".cazi/agent/jobs/j/audit");
  return readdirSync(audit)
    .map((name) => readFileSync(join(audit, name), "utf8"))
    .join("");
};

describe("a durable job", () => {
  it("sleeps, goes on at the exact point, and repeats no event", async () => {
    await start(
      `emit({ a: 1 }); const t = Date.now(); await scheduler.sleep(60000); emit({ b: 2, same: t === Date.now(), r: Math.random() }); await scheduler.sleep(1000); emit({ c: 3 });`,
    );
    expect(await tick()).toEqual({ code: 0, events: [{ a: 1 }], status: "awaiting_timer" });
    expect(await tick()).toEqual({ code: 0, events: [], status: "awaiting_timer" });
    nowMs += 60_000;
    expect(await tick()).toMatchObject({ events: [{ b: 2, same: true }], status: "awaiting_timer" });
    nowMs += 1_000;
    expect(await tick()).toEqual({ code: 0, events: [{ c: 3 }], status: "completed" });
    expect(await tick()).toMatchObject({ code: 75, events: [] });
    const replayed = JSON.parse((await agent("schedule", "replay", "j", "--json")).out) as {
      turns: { head: string }[];
    };
    expect(replayed).toMatchObject({ status: "completed", events: 3, turn_cursor: 3 });
    expect(await job()).toMatchObject({ audit_head: replayed.turns.at(-1)!.head, last_turn_status: "ok" });
  });

  it("cannot catch its suspension", async () => {
    await start(
      `try { await scheduler.sleep(1000); emit({ woke: 1 }) } catch (e) { emit({ caught: 1 }) } finally { emit({ fin: 1 }) }`,
    );
    expect((await tick()).events).toEqual([]);
    nowMs += 1000;
    expect((await tick()).events).toEqual([{ woke: 1 }, { fin: 1 }]);
  });

  it("runs what does not wait, once", async () => {
    await start(`scheduler.sleep(1000).then(() => emit({ later: 1 })); emit({ now: 1 });`);
    expect(await tick()).toMatchObject({ events: [{ now: 1 }], status: "awaiting_timer" });
    nowMs += 1000;
    expect(await tick()).toEqual({ code: 0, events: [{ later: 1 }], status: "completed" });
  });

  it("takes an input by its token, and arms a timer and an input together", async () => {
    await start(
      `const [x, y] = await Promise.all([scheduler.sleep(1000), scheduler.waitForInput({ ask: "go?" })]); emit({ y });`,
    );
    expect((await tick()).status).toBe("awaiting_timer");
    const { awaits } = await job();
    expect(awaits.map(({ kind }) => kind).sort()).toEqual(["input", "timer"]);
    const { token } = awaits.find(({ kind }) => kind === "input")!;
    expect((await agent("schedule", "input", "j", "--token", "nope", "--json", "1")).code).toBe(76);
    expect(
      (await agent("schedule", "input", "j", `--token=${token}`, "--json", '{"__proto__":1,"go":true}')).code,
    ).toBe(0);
    expect((await agent("schedule", "input", "j", `--token=${token}`, "--json", "2")).code).toBe(76);
    expect(await tick()).toMatchObject({ events: [], status: "awaiting_timer" });
    nowMs += 1000;
    expect((await tick()).events).toEqual([{ y: JSON.parse('{"__proto__":1,"go":true}') }]);
    expect(auditText()).not.toContain(token);
  });

  it("lets the first of a race win and forgets the other", async () => {
    await start(
      `const r = await Promise.race([scheduler.sleep(5000).then(() => "late"), scheduler.waitForInput().then((v) => v.n)]); emit({ r }); close();`,
    );
    await tick();
    const [, input] = (await job()).awaits;
    expect((await agent("schedule", "tick", "j", "--json")).out).not.toContain(input!.token);
    await agent("schedule", "input", "j", `--token=${input!.token}`, '--json={"n":7}');
    expect((await tick()).events).toEqual([{ r: 7 }]);
  });

  it("waits for input alone until it is given", async () => {
    await start(`emit({ v: await scheduler.waitForInput({}) });`);
    expect((await tick()).status).toBe("awaiting_input");
    expect((await tick()).code).toBe(75);
  });

  it("delivers the results of tools in the order that they came, again and again", async () => {
    await start(
      `const order = []; await Promise.all([600, 10].map((ms) => callTool("slow", { delay_ms: ms }).then((r) => order.push(r.delay_ms))));
       emit({ order }); await scheduler.sleep(1); const r = await scheduler.callTool("echo", { x: 1 }); emit({ order, r });`,
      "--tool=slow",
      "--tool=echo",
      "--tool-timeout-ms=20000",
    );
    expect((await tick()).events).toEqual([{ order: [10, 600] }]);
    nowMs += 1;
    expect(await tick()).toEqual({
      code: 0,
      events: [{ order: [10, 600], r: { x: 1 } }],
      status: "completed",
    });
  });

  it("stands still in a synchronous call until a person decides, and goes on from there", async () => {
    await start(
      `emit({ before: 1 }); const r = callTool("echo", { n: 1 }); emit({ r });`,
      "--tool=echo",
      "--require-approval=echo",
    );
    expect(await tick()).toMatchObject({ events: [{ before: 1 }], status: "awaiting_tool" });
    expect(await tick()).toMatchObject({ events: [], status: "awaiting_tool" });
    const log = ".cazi/agent/jobs/j/approval.jsonl";
    const [held] = (await job()).awaits;
    expect((await agent("approval", "inbox", log)).out).toContain(held!.approval_id);
    await agent("approval", "allow", log, held!.approval_id!);
    expect(await tick()).toEqual({ code: 0, events: [{ r: { n: 1 } }], status: "completed" });
  });

  it("tells the program of a denial", async () => {
    await start(
      `try { callTool("echo", {}) } catch (e) { emit({ e: e.message }) }`,
      "--tool=echo",
      "--require-approval=echo",
    );
    await tick();
    const [held] = (await job()).awaits;
    await agent("approval", "deny", ".cazi/agent/jobs/j/approval.jsonl", held!.approval_id!);
    expect((await tick()).events).toEqual([{ e: "agent tool denied: echo" }]);
  });

  it("charges its counts over its life and its time by the tick", async () => {
    await start(`for (let i = 0; i < 5; i++) { emit({ i }); await scheduler.sleep(10) }`, "--max-events=3");
    const events: unknown[] = [];
    let last = { code: 0, events: [] as unknown[], status: "" };
    for (let n = 0; n < 4; n++) {
      last = await tick();
      events.push(...last.events);
      nowMs += 10;
    }
    expect(events).toEqual([{ i: 0 }, { i: 1 }, { i: 2 }]);
    expect(last).toMatchObject({ code: 70, status: "failed" });
    expect((await job()).reason).toBe("exception");
  });

  it.each([
    ["--max-microtasks=4", "microtask_budget_exceeded", "await scheduler.sleep(1)"],
    ["--max-steps=40000", "step_budget_exceeded", "for (let i = 0; i < 6000; i++); await scheduler.sleep(1)"],
  ])("charges %s over its life too: no tick alone takes all of it", async (flag, reason, body) => {
    await start(`for (;;) { ${body} }`, flag);
    let ticks = 0;
    for (let status = "awaiting_timer"; status === "awaiting_timer"; ticks++) {
      ({ status } = await tick());
      nowMs += 1;
    }
    expect(ticks).toBeGreaterThan(2);
    expect(await job()).toMatchObject({
      status: "failed",
      reason,
      budget_ledger: { turns: ticks, failures: 1 },
    });
  });

  it("sleeps a day at most", async () => {
    const source = (ms: number) =>
      `try { await scheduler.sleep(${ms}) } catch (e) { emit({ e: e.message }) }`;
    await start(source(86_400_001));
    expect(await tick()).toMatchObject({
      status: "completed",
      events: [{ e: "agent budget exceeded: scheduler_sleep_ms" }],
    });
    expect(auditText()).toContain('"budget":"scheduler_sleep_ms","limit":86400000,"attempted":86400001');
    rmSync(join(folder, ".cazi"), { recursive: true });
    await start(source(86_400_000));
    expect((await tick()).status).toBe("awaiting_timer");
    expect((await job()).awaits).toMatchObject([{ due_ms: nowMs + 86_400_000 }]);
  });

  it("keeps its journal to its owner, and a secret's value out of it", async () => {
    const env = { KEY: "secret-value-1" };
    put(
      "agent.js",
      `emit(callTool("readFile", { path: "k" })); await scheduler.sleep(1); callTool("echo", {})`,
    );
    put("k", "it is secret-value-1");
    const flags = "--job-id=j --tool=readFile --tool=echo --fs-read=k --secret=readFile=KEY".split(" ");
    const run = (...words: string[]) => runWords(words, { cwd: folder, clock, env });
    expect((await run("schedule", "start", "agent.js", PATIENT, ...flags)).code).toBe(0);
    expect((await run("schedule", "tick", "j")).out).toContain("it is [REDACTED]");
    const at = join(folder, ".cazi/agent/jobs/j");
    for (const name of ["journal.jsonl", "manifest.json", "config.json"]) {
      expect([name, statSync(join(at, name)).mode & 0o777]).toEqual([name, 0o600]);
      expect(readFileSync(join(at, name), "utf8")).not.toContain("secret-value-1");
    }
    expect(auditText()).toContain(
      `"result_sha256":"${sha256('{"path":"k","content":"it is secret-value-1","bytes":20}')}"`,
    );
  });

  it("expires after its ticks", async () => {
    await start("for (;;) await scheduler.sleep(1);", "--max-scheduler-turns=2");
    for (let n = 0; n < 2; n++) {
      expect((await tick()).status).toBe("awaiting_timer");
      nowMs += 1;
    }
    expect(await tick()).toMatchObject({ code: 70, status: "expired" });
  });

  it("lets one of two ticks at once run", async () => {
    await start(
      `emit({ once: 1 }); await callTool("slow", { delay_ms: 300 });`,
      "--tool=slow",
      "--tool-timeout-ms=20000",
    );
    const both = await Promise.all([agent("schedule", "tick", "j"), agent("schedule", "tick", "j")]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 75]);
    expect(both.map(({ out }) => out).join("")).toBe('{"once":1}\n');
  });

  it("is cancelled for good", async () => {
    await start("await scheduler.sleep(1000);");
    await tick();
    expect((await agent("schedule", "cancel", "j")).code).toBe(0);
    expect((await agent("schedule", "cancel", "j")).code).toBe(0);
    expect((await tick()).code).toBe(75);
    expect((await agent("schedule", "list", "--json")).out).toContain('"status":"cancelled"');
  });

  it("keeps what it promised of its events over all its ticks, or fails at its end", async () => {
    put("step.json", '{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}');
    const promise = "--expect-event=step=step.json";
    const ends = async (first: string, second: string) => {
      await start(`${first}; await scheduler.sleep(1000); ${second}`, promise);
      const { status } = await tick();
      expect(status).toBe("awaiting_timer");
      nowMs += 1000;
      const { code } = await tick();
      const { reason } = await job();
      rmSync(join(folder, ".cazi"), { recursive: true });
      return [code, reason];
    };
    const good = 'emit({ kind: "step", n: 1 })';
    expect(await ends(good, "")).toEqual([0, null]);
    expect(await ends("", good)).toEqual([0, null]);
    expect(await ends("", "")).toEqual([70, "expected_events"]);
    expect(await ends('emit({ kind: "step", n: "1" })', good)).toEqual([70, "expected_events"]);
    await start(good, promise);
    put("step.json", "{}");
    expect(await agent("schedule", "tick", "j")).toMatchObject({
      code: 65,
      err: expect.stringContaining("schema of its events"),
    });
  });

  it("has no scheduler outside of a job", async () => {
    put("agent.js", "emit({ t: typeof scheduler });");
    expect((await agent("run", "agent.js", PATIENT)).out).toBe('{"t":"undefined"}\n');
  });
});

describe("a job that is not what it was", () => {
  const source = `emit({ n: 1 }); state.set("k", 1); await scheduler.sleep(10); emit({ n: 2, k: state.get("k") });`;

  it("refuses another program or module", async () => {
    put("m.js", "export const m = 1;");
    await start(`import { m } from "m"; ${source}`, "--module=m=m.js");
    await tick();
    nowMs += 10;
    put("m.js", "export const m = 2;");
    expect(await agent("schedule", "tick", "j")).toMatchObject({
      code: 65,
      err: expect.stringContaining("modules"),
    });
    put("m.js", "export const m = 1;");
    put("agent.js", `import { m } from "m"; ${source} `);
    expect(await agent("schedule", "tick", "j")).toMatchObject({
      code: 65,
      err: expect.stringContaining("agent"),
    });
    put("agent.js", `import { m } from "m"; ${source}`);
    expect((await tick()).events).toEqual([{ n: 2, k: 1 }]);
  });

  it("refuses the policy or the engine when it is another one, and the same again is taken", async () => {
    const policy = JSON.stringify({ schema_version: 1, agent: "agent.js", budgets: { timeout_ms: 20_000 } });
    put("agent.js", source);
    put("agent-policy.json", policy);
    expect((await agent("schedule", "start", "--project=.", "--job-id=j")).code).toBe(0);
    const tickSays = async () => (await agent("schedule", "tick", "j")).err;
    put("agent-policy.json", policy.replace("{", '{"tools":["echo"],'));
    expect(await tickSays()).toContain("The policy is not the one that the job began with");
    put("agent-policy.json", policy);
    const manifest = readFileSync(join(folder, ".cazi/agent/jobs/j/manifest.json"), "utf8");
    const other = manifest.replace(/"engine": "[0-9a-f]+"/, `"engine": "${"0".repeat(64)}"`);
    put(".cazi/agent/jobs/j/manifest.json", other);
    expect(await tickSays()).toContain("The engine is not the one that the job began with");
    put(".cazi/agent/jobs/j/manifest.json", manifest);
    expect((await tick()).status).toBe("awaiting_timer");
  });

  it("waits for a person when nobody knows what came of an effect, and tells the program what that one says", async () => {
    put(
      "agent.js",
      `try { callTool("writeArtifact", { path: "a", content: "a" }) } catch (e) { emit({ code: e.code }) }`,
    );
    const flags = [PATIENT, "--tool=writeArtifact", "--fs-write=out"];
    await agent("schedule", "start", "agent.js", "--job-id=j", ...flags);
    const journal = openJournal(join(folder, ".cazi/agent/jobs/j/journal.jsonl"));
    const args = '{"path":"a","content":"a"}';
    journal.append({ t: "intent", call: 0, tool: "writeArtifact", args, repeatable: false });
    journal.close();
    expect(await tick()).toMatchObject({ code: 0, events: [], status: "awaiting_operator" });
    expect((await job()).unknown).toEqual([{ call: 0, tool: "writeArtifact", args }]);
    expect((await tick()).code).toBe(75);
    expect((await agent("schedule", "resolve", "j", "--call=0", "--fail", "--retry")).code).toBe(64);
    expect((await agent("schedule", "resolve", "j", "--call=1", "--fail")).code).toBe(76);
    expect((await agent("schedule", "resolve", "j", "--call=0", "--fail")).code).toBe(0);
    expect((await tick()).events).toEqual([{ code: "RESOLVED_AS_FAILED" }]);
    expect(existsSync(join(folder, "out/a"))).toBe(false);
  });

  it("ends a replay that takes longer than a replay may, by a reason of its own", async () => {
    const guest = startGuestThread({ engine: loadEngine(), heapMbMax: Promise.resolve(64) });
    const begin = JSON.stringify({ start_ms: 0, seed: 1, context: {}, scheduled: true });
    const end = await guest.run(
      {
        begin,
        source: "for (;;);",
        sourceName: "a.js",
        packageMains: {},
        replay: [["0".repeat(64), null]],
        microtasksMax: 1,
        pollsMax: null,
      },
      { timeoutMs: 60_000, replayLimitMs: 200 },
      async () => ({ held: true }),
    );
    expect(end.reason).toBe("replay_timeout");
  });

  it("refuses a journal that was edited or cut", async () => {
    await start(source);
    await tick();
    nowMs += 10;
    const path = ".cazi/agent/jobs/j/journal.jsonl";
    const text = readFileSync(join(folder, path), "utf8");
    put(path, text.replace('"events":1', '"events":0'));
    expect(await agent("schedule", "tick", "j")).toMatchObject({
      code: 65,
      err: expect.stringContaining("Line 1"),
    });
    put(path, text.split("\n").slice(0, 2).join("\n").concat("\n"));
    expect((await agent("schedule", "tick", "j")).code).toBe(65);
    put(path, text);
    expect((await tick()).status).toBe("completed");
  });

  it("finds at its index what a well-made forgery changed", async () => {
    await start(source);
    await tick();
    nowMs += 10;
    const path = join(folder, ".cazi/agent/jobs/j/journal.jsonl");
    let head = CHAIN_START;
    const forged = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line, index) => {
        const entry = JSON.parse(openLine(line)!.text) as { q: string };
        if (index === 1) entry.q = "0".repeat(64);
        const sealed = sealLine(head, JSON.stringify(entry));
        head = sealed.hash;
        return sealed.line;
      });
    writeFileSync(path, `${forged.join("\n")}\n`);
    const manifestPath = join(folder, ".cazi/agent/jobs/j/manifest.json");
    const manifest = JSON.parse(readFileSync(manifestPath, "utf8")) as { journal: object };
    writeFileSync(manifestPath, JSON.stringify({ ...manifest, journal: { count: forged.length, head } }));
    expect(await tick()).toMatchObject({ code: 70, status: "failed", events: [] });
    expect((await job()).reason).toBe("divergence_at_1");
  });

  it("is not found where it is not, and not started twice", async () => {
    await start("");
    expect((await agent("schedule", "start", "agent.js", "--job-id=j")).code).toBe(65);
    expect(await agent("schedule", "tick", "nope")).toMatchObject({
      code: 66,
      err: expect.stringContaining("--store"),
    });
    for (const id of ["..", ".", "a/b", "a b", "ž", "x".repeat(129)]) {
      expect([id, (await agent("schedule", "tick", id)).code]).toEqual([id, 64]);
      expect([id, (await agent("schedule", "start", "agent.js", "--job-id", id)).code]).toEqual([id, 64]);
    }
    const longest = `A.b_:-${"9".repeat(122)}`;
    const begun = await agent("schedule", "start", "agent.js", "--job-id", longest, "--store=s");
    expect(begun).toMatchObject({ code: 0, err: expect.stringContaining(join(folder, "s")) });
    expect((await agent("schedule", "tick", longest, "--store", "s")).code).toBe(0);
  });
});
