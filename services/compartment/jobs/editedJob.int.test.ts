/** What the commands that only look at a job say of files that are not what was written. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";

const folder = newFolder();
const store = join(folder, ".cazi/agent/jobs");
let nowMs = 1_700_000_000_000;
const clock = { now: () => nowMs, monotonicMs: () => performance.now() };
const agent = (...words: string[]) => runWords(words, { cwd: folder, clock });
const schedule = (word: string, ...more: string[]) => agent("schedule", word, ...more, "--json");

/** By the state that each job is in. */
const sources = {
  created: "",
  completed: `emit({ n: 1 }); state.set("k", "try it");`,
  failed: `emit({ n: 1 }); throw new Error("no");`,
  awaiting_timer: `emit({ n: 1 }); await scheduler.sleep(1000);`,
  awaiting_input: `emit({ n: 1 }); await scheduler.waitForInput({});`,
  cancelled: `emit({ n: 1 }); await scheduler.sleep(1000);`,
  running: `emit({ n: 1 }); await scheduler.sleep(1000);`,
};
const states = Object.keys(sources) as (keyof typeof sources)[];
const ran = states.filter((state) => state !== "created");

beforeAll(async () => {
  for (const [state, source] of Object.entries(sources)) {
    writeFileSync(join(folder, "agent.js"), source);
    const started = await agent("schedule", "start", "agent.js", `--job-id=${state}`, "--timeout-ms=20000");
    expect(started.code).toBe(0);
    if (state !== "created") await agent("schedule", "tick", state);
  }
  await agent("schedule", "cancel", "cancelled");
  // A tick that died: it had said that it begins, and not where it ended.
  nowMs += 1;
  edit("running", "manifest.json", (text) =>
    JSON.stringify({
      ...JSON.parse(text),
      status: "running",
      active_turn_id: "running/turn-2",
      turn_cursor: 2,
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @returns puts the file back */
function edit(job: string, name: string, change: (text: string) => string): () => void {
  const path = join(store, job, name);
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
  return () => writeFileSync(path, text);
}

const cutLine = (text: string) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);

describe("a job's files that nobody touched", () => {
  it.each(states)("are shown and replayed while the job is %s", async (state) => {
    expect(JSON.parse((await schedule("status", state)).out)).toMatchObject({ status: state });
    const replayed = await schedule("replay", state);
    expect(replayed.code).toBe(0);
    expect(JSON.parse(replayed.out)).toMatchObject({ status: state, events: state === "created" ? 0 : 1 });
  });

  it("whose journal's last entry is torn, as a dead writer leaves it, are replayed as they are", async () => {
    const back = edit("awaiting_timer", "journal.jsonl", (text) => `${text}{"t":"ans`);
    expect((await schedule("replay", "awaiting_timer")).code).toBe(0);
    back();
  });
});

describe("a journal that is not what was written", () => {
  const changes: [string, (text: string) => string, RegExp][] = [
    ["edited", (text) => text.replace('"events":1', '"events":0'), /Line 1 of \S+ is not what was written/],
    ["cut", cutLine, /shorter than the job's manifest says/],
    ["emptied", () => "", /shorter than the job's manifest says/],
  ];

  it.each(ran.flatMap((state) => changes.map((change) => [state, ...change] as const)))(
    "of a job that is %s is refused when it was %s, by what shows the job too",
    async (state, _, change, sentence) => {
      const back = edit(state, "journal.jsonl", change);
      const refused = { code: 65, err: expect.stringMatching(sentence) };
      const replayed = await schedule("replay", state);
      expect(replayed).toMatchObject({ ...refused, out: "" });
      expect(replayed.err).toContain("(JOURNAL_REFUSED)");
      const shown = await schedule("status", state);
      expect(shown).toMatchObject(refused);
      expect(JSON.parse(shown.out)).toMatchObject({ status: state });
      expect((await schedule("tick", state)).code).toBe(65);
      back();
      expect((await schedule("replay", state)).code).toBe(0);
    },
  );

  it("is marked in the list, as is a manifest that cannot be read, and the other jobs are listed", async () => {
    const back = [
      edit("completed", "journal.jsonl", (text) => text.replace("try it", "TRY IT")),
      edit("created", "manifest.json", (text) => text.slice(0, 20)),
    ];
    const { code, out } = await agent("schedule", "list");
    expect([code, out.trimEnd().split("\n")]).toEqual([
      0,
      states
        .map((state) => {
          if (state === "completed") return "completed completed JOURNAL_REFUSED";
          return state === "created" ? "created - JOB_UNREADABLE" : `${state} ${state}`;
        })
        .sort(),
    ]);
    const { jobs } = JSON.parse((await schedule("list")).out) as { jobs: { job_id: string }[] };
    expect(jobs.find(({ job_id }) => job_id === "created")).toMatchObject({
      status: null,
      refused: { code: "JOB_UNREADABLE" },
    });
    for (const put of back) put();
    expect((await schedule("list")).out).not.toContain("refused");
  });
});

describe("the log of a job's newest tick", () => {
  it("that is whole and not the one that the job's manifest has the head of is refused", async () => {
    const other = readFileSync(join(store, "failed/audit/turn-1.jsonl"), "utf8");
    const back = edit("completed", "audit/turn-1.jsonl", () => other);
    expect(await schedule("replay", "completed")).toMatchObject({
      code: 65,
      err: expect.stringContaining("(AUDIT_HEAD_DIFFERS)"),
    });
    rmSync(join(store, "completed/audit/turn-1.jsonl"));
    expect(await schedule("replay", "completed")).toMatchObject({
      code: 65,
      err: expect.stringContaining("is not there"),
    });
    back();
    expect((await schedule("replay", "completed")).code).toBe(0);
  });
});
