/** The public feed of the whole product: the example subscribers, each killed and started again, and `cazi feed`. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { natsOfHome, readLedger } from "../support/homeLedger.ts";
import { killProcesses, processTree } from "../support/processTree.ts";
import { userEnv, withProduct } from "../support/product.ts";
import { type RunningProgram, startProgram } from "../support/runProgram.ts";
import { waitFor } from "../support/waitFor.ts";

const product = withProduct({ CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: "16" });
const spec = { image: "cazi/toolbox:latest", command: ["true"], labels: { why: "feed" } };
const running: RunningProgram[] = [];
afterAll(() => Promise.all(running.map(kill)));

const kill = async (program: RunningProgram) => {
  await killProcesses(processTree(program.pid));
  await program.done;
};
const linesOf = (program: RunningProgram) =>
  program
    .stdoutSoFar()
    .toString()
    .split("\n")
    // The last one may not be whole yet.
    .slice(0, -1);
const submitAndEnd = async (count: number) => {
  const tasks = await Promise.all(Array.from({ length: count }, () => product.api.submit(spec)));
  await Promise.all(tasks.map(({ id }) => product.api.ended(id)));
};
const ledgerIds = async () => (await readLedger(natsOfHome(product.home))).map(({ event }) => event.id);

/** Starts an example as a user would, in a folder of its own state. */
function subscribe(program: string, file: string): RunningProgram {
  const path = join(projectRoot, "deploy/examples/subscribers", file);
  const started = startProgram(program, [path, join(product.home, `${file}.place`)], {
    env: { ...userEnv(), CAZI_HOME: product.home },
    cwd: projectRoot,
  });
  running.push(started);
  return started;
}

const examples = [
  ["node", "node-subscriber.mjs", (line: string) => line.split(" ")[0]!],
  ["python3", "python-subscriber.py", (line: string) => line.split(" ")[0]!],
  ["sh", "shell-subscriber.sh", (line: string) => (JSON.parse(line) as { id: string }).id],
] as const;

describe("the example subscribers", () => {
  it("print every event in order, and go on after a kill without losing one", async () => {
    await submitAndEnd(4);
    const first = await ledgerIds();
    const before = await Promise.all(
      examples.map(async ([program, file, idOf]) => {
        const subscriber = subscribe(program, file);
        await waitFor(`${file} to print all there is`, () => linesOf(subscriber).length >= first.length, {
          deadlineMs: 60_000,
        }).catch((error) => {
          throw new Error(`${error.message}\n${subscriber.text()}`);
        });
        await kill(subscriber);
        return linesOf(subscriber).map(idOf);
      }),
    );
    for (const ids of before) expect(ids).toEqual(first);
    await submitAndEnd(4);
    const all = await ledgerIds();
    await Promise.all(
      examples.map(async ([program, file, idOf], index) => {
        const subscriber = subscribe(program, file);
        const seen = () => new Set([...before[index]!, ...linesOf(subscriber).map(idOf)]);
        await waitFor(`${file} to print the rest`, () => seen().size >= all.length, { deadlineMs: 60_000 });
        // What was printed and not yet acknowledged may come again; nothing is missing, and the order is the ledger's.
        expect([...seen()]).toEqual(all);
      }),
    );
  });

  it("decode the same from the Avro bytes, in Python and in JavaScript", async () => {
    const [javascript, python] = running.slice(-3).map((program) => new Set(linesOf(program)));
    const shared = [...python!].filter((line) => javascript!.has(line));
    expect(shared.length).toBeGreaterThan(10);
    expect(shared.some((line) => / succeeded \S+ succeeded$/.test(line))).toBe(true);
  });

  it("have credentials of their own, which only the owner of the home can read", () => {
    expect(statSync(join(product.home, "nats/subscriber.creds")).mode & 0o777).toBe(0o600);
  });
});

describe("cazi feed", () => {
  it("prints the transitions asked for as they are there and as they come", async () => {
    const feed = product.startCazi(["feed", "--types", "succeeded", "--after", "0", "-o", "jsonl"]);
    running.push(feed);
    await waitFor("what is there", () => linesOf(feed).length === 8);
    await submitAndEnd(1);
    await waitFor("what comes", () => linesOf(feed).length === 9);
    const last = JSON.parse(linesOf(feed).at(-1)!);
    expect(last).toMatchObject({ type: "cazi.task.v1.succeeded", data: { type: "succeeded" } });
    const again = product.startCazi(["feed", "--after", last.place]);
    running.push(again);
    await submitAndEnd(1);
    await waitFor("only what is new", () => /succeeded/.test(again.stdoutSoFar().toString()));
    expect(linesOf(again).length).toBeLessThanOrEqual(5);
  });

  it("refuses a transition that there is none of", async () => {
    const { exit, stderr } = await product.cazi("feed", "--types", "exploded");
    expect([exit, stderr.toString()]).toEqual([2, expect.stringContaining("REQUEST_INVALID")]);
  });
});
