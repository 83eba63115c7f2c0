/** A job whose process is killed in every single step of it, after each kind of write, and that ends as if nothing was. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../kernel/projectRoot.ts";
import { openLine } from "../audit/auditChain.ts";
import { newFolder } from "../testing/runProgram.ts";
import { runWords } from "../testing/runWords.ts";
import { stepOf } from "../testing/stepOf.ts";

const program = join(projectRoot, "node_modules/.cache", `tickAndDie-${process.pid}.mjs`);
const folder = newFolder();
const job = join(folder, ".cazi/agent/jobs/j");

beforeAll(async () => {
  await build({
    entryPoints: [join(projectRoot, "services/compartment/testing/tickAndDie.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    // Also what is installed: a process of each tick that looks for it in files takes a third longer.
    banner: { js: 'import { createRequire as r } from "node:module"; const require = r(import.meta.url);' },
    logLevel: "silent",
  });
});
afterAll(() => {
  next?.kill("SIGKILL");
  rmSync(program, { force: true });
  rmSync(folder, { recursive: true });
});

const ROUNDS = 5;
/** Questions of a round that are answered: its ten steps, and the waking from its sleep. */
const STEPS_OF_ROUND = 11;

/** 50 steps: 20 events, 10 calls that may be repeated, 5 that may not, 10 changes of the state, 5 sleeps. */
const source = `for (let round = 0; round < ${ROUNDS}; round++) {
  for (let n = 0; n < 2; n++) {
    emit({ round, n, kind: "event" });
    state.set("at", [round, n]);
    emit({ echo: callTool("echo", { round, n }) });
    if (n === 0) callTool("writeArtifact", { path: round + ".txt", content: "round " + round });
    else await scheduler.sleep(0);
  }
}
emit({ kind: "end", at: state.get("at") });`;

const expected = Array.from({ length: ROUNDS }, (_, round) => round).flatMap((round) =>
  [0, 1].flatMap((n) => [{ round, n, kind: "event" }, { echo: { round, n } }]),
);

describe("a job of 50 steps", () => {
  it("converges when it is killed in every step, an effect without its result included", async () => {
    const agent = (...words: string[]) => runWords(words, { cwd: folder });
    writeFileSync(join(folder, "agent.js"), source);
    writeFileSync(join(folder, "end.json"), '{"required":["at"]}');
    const flags = [
      "--job-id=j",
      "--tool=echo",
      "--tool=writeArtifact",
      "--fs-write=out",
      "--expect-event=end=end.json",
      "--timeout-ms=30000",
    ];
    expect((await agent("schedule", "start", "agent.js", ...flags)).code).toBe(0);
    const diedIn = new Set<number>();
    let [deaths, unknown, deathsHere, step] = [0, 0, 0, 0];
    for (let status = ""; status !== "completed"; ) {
      const round = Math.floor(step / STEPS_OF_ROUND);
      // The first round dies after each of its writes, and so does the end; a later one once a step, each at another write.
      const eachWrite = round === 0 || round >= ROUNDS;
      const target = eachWrite || deathsHere === 0 ? step : step + 1;
      const ran = await tickAndDie(target, eachWrite ? 1 + deathsHere : round);
      status = ran ?? "killed";
      if (ran === null) {
        deaths++;
        diedIn.add(target);
      }
      if (status === "awaiting_operator") {
        unknown++;
        await decide(agent);
      }
      const now = stepOf(join(job, "journal.jsonl"));
      // A death in the step beyond leaves the program in that step.
      deathsHere = ran !== null ? deathsHere : now > target ? 0 : now === step ? deathsHere + 1 : 1;
      step = now;
      expect(deaths).toBeLessThan(200);
    }
    expect([...Array(step).keys()].filter((each) => !diedIn.has(each))).toEqual([]);
    expect(deaths).toBeGreaterThan(70);
    // Twice before the effect and twice after it.
    expect(unknown).toBe(4);
    const events = auditLines()
      .filter(({ type }) => type === "event")
      .map(({ event }) => event);
    expect(events).toEqual([...expected, { kind: "end", at: [ROUNDS - 1, 1] }]);
    const judged = auditLines().filter(({ type }) => type === "schema_validation");
    expect(judged).toMatchObject([{ kind: "end", valid: true }]);
    for (let round = 0; round < ROUNDS; round++) {
      expect(readFileSync(join(folder, "out", `${round}.txt`), "utf8")).toBe(`round ${round}`);
    }
  }, 400_000);
});

/** The process of the next tick: it comes up while the one before it runs, and waits to be told what to do. */
let next: ChildProcess | null = null;

/** The status that the tick ended with, or null when it was killed. */
async function tickAndDie(step: number, write: number): Promise<string | null> {
  const start = () => spawn(process.execPath, [program, job], { stdio: ["pipe", "pipe", "inherit"] });
  const child = next ?? start();
  next = start();
  let status = "";
  child.stdout!.on("data", (text: Buffer) => {
    status += text.toString();
  });
  child.stdin!.end(`${step} ${write}\n`);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return null;
  expect(code).toBe(0);
  return status;
}

/** What a person does: looks whether it happened, and says so. */
async function decide(agent: (...words: string[]) => ReturnType<typeof runWords>): Promise<void> {
  const { unknown } = JSON.parse(readFileSync(join(job, "manifest.json"), "utf8")) as {
    unknown: { call: number; tool: string; args: string }[];
  };
  const { call, args } = unknown[0]!;
  const { path } = JSON.parse(args) as { path: string };
  const way = existsSync(join(folder, "out", path)) ? ["--result-json", `{"path":"${path}"}`] : ["--retry"];
  expect((await agent("schedule", "resolve", "j", "--call", String(call), ...way)).code).toBe(0);
}

function lines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

function auditLines(): { type: string; event?: object }[] {
  const turn = (name: string) => Number(/\d+/.exec(name)![0]);
  return readdirSync(join(job, "audit"))
    .sort((a, b) => turn(a) - turn(b))
    .flatMap((name) => lines(join(job, "audit", name)))
    .map((line) => JSON.parse(openLine(line)!.text) as { type: string });
}
