/**
 * The public feed of the whole product: the example subscribers, each killed and started again, and `cazi feed`. Called
 * by a file that has started a product, since a start costs more than all of this.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { natsOfHome, readLedger } from "../support/homeLedger.ts";
import { killProcesses, processTree } from "../support/processTree.ts";
import { type Product, userEnv } from "../support/product.ts";
import { type RunningProgram, startProgram } from "../support/runProgram.ts";
import { waitFor } from "../support/waitFor.ts";

const firstWord = (line: string) => line.split(" ")[0]!;
const idInJson = (line: string) => (JSON.parse(line) as { id: string }).id;
const examples = [
  ["node", "node-subscriber.mjs", firstWord],
  ["python3", "python-subscriber.py", firstWord],
  ["sh", "shell-subscriber.sh", idInJson],
] as const;

const kill = async (program: RunningProgram) => {
  await killProcesses(processTree(program.pid));
  await program.done;
};
/** Whole lines; the last one may not be whole yet. */
const linesOf = (program: RunningProgram) => program.stdoutSoFar().toString().split("\n").slice(0, -1);

/** @param product started, on the no-op runtime */
export function testFeed(product: Product): void {
  const running: RunningProgram[] = [];
  afterAll(() => Promise.all(running.map(kill)));
  const events = async () => (await readLedger(natsOfHome(product.home))).map(({ event }) => event);
  const submitAndEnd = async (count: number) => {
    const spec = { image: "cazi/toolbox:latest", command: ["true"] };
    const tasks = await Promise.all(Array.from({ length: count }, () => product.api.submit(spec)));
    await Promise.all(tasks.map(({ id }) => product.api.ended(id)));
    return (await events()).map(({ id }) => id);
  };
  /** Starts an example as a user would; in the product's home unless in another, with its place in its default file. */
  const subscribe = (program: string, file: string, home = product.home) => {
    const path = join(projectRoot, "deploy/examples/subscribers", file);
    const started = startProgram(program, [path], {
      env: { ...userEnv(), CAZI_HOME: home },
      cwd: projectRoot,
    });
    running.push(started);
    return started;
  };
  const prints = (program: RunningProgram, what: string, count: () => number, wanted: number) =>
    waitFor(what, () => count() >= wanted, { deadlineMs: 60_000 }).catch((error) => {
      throw new Error(`${error.message}\n${program.text().slice(-2_000)}`);
    });

  describe("the example subscribers", () => {
    const emptyHome = mkdtempSync(join(tmpdir(), "cazi-subscribers-"));
    let waiting: RunningProgram[];
    // Before the others, so that they have waited for a while when it is looked at.
    beforeAll(() => {
      for (const name of ["python", "shell"]) writeFileSync(join(emptyHome, `${name}-subscriber.place`), "");
      waiting = examples.map(([program, file]) => subscribe(program, file, emptyHome));
    });
    afterAll(() => rmSync(emptyHome, { recursive: true, force: true }));

    it("print every event in order, and go on after a kill without losing one", async () => {
      const first = await submitAndEnd(3);
      const before = await Promise.all(
        examples.map(async ([program, file, idOf]) => {
          const subscriber = subscribe(program, file);
          await prints(subscriber, `${file}: all there is`, () => linesOf(subscriber).length, first.length);
          await kill(subscriber);
          return linesOf(subscriber).map(idOf);
        }),
      );
      for (const ids of before) expect(ids).toEqual(first);
      const all = await submitAndEnd(3);
      await Promise.all(
        examples.map(async ([program, file, idOf], index) => {
          const subscriber = subscribe(program, file);
          const seen = () => new Set([...before[index]!, ...linesOf(subscriber).map(idOf)]);
          await prints(subscriber, `${file}: the rest`, () => seen().size, all.length);
          // What was printed and not acknowledged yet may come again; none is missing, and the order is the ledger's.
          expect([...seen()]).toEqual(all);
        }),
      );
    });

    it("decode the same from the Avro bytes, in Python and in JavaScript", () => {
      const [javascript, python] = running.slice(-3).map((program) => new Set(linesOf(program)));
      const shared = [...python!].filter((line) => javascript!.has(line));
      expect(shared.length).toBeGreaterThan(10);
      expect(shared.some((line) => / succeeded \S+ succeeded$/.test(line))).toBe(true);
    });

    it("say once that they wait for Cazi and go on by themselves, each from its own place", async () => {
      for (const program of waiting) expect(program.text()).toMatch(/^waiting for Cazi: [^\n]+\n$/);
      // Those of this home would take events of the one consumer on JetStream.
      await Promise.all(running.filter((program) => !waiting.includes(program)).map(kill));
      const before = (await events()).length;
      mkdirSync(join(emptyHome, "nats"));
      for (const name of ["nats/port", "nats/subscriber.creds", "token", "url"])
        cpSync(join(product.home, name), join(emptyHome, name));
      const all = await submitAndEnd(2);
      const wanted = [all.slice(before), all, all];
      await Promise.all(
        examples.map(async ([, file, idOf], index) => {
          const seen = () => new Set(linesOf(waiting[index]!).map(idOf));
          const isThere = () => wanted[index]!.filter((id) => seen().has(id)).length;
          await prints(waiting[index]!, `${file}: all of it`, isThere, wanted[index]!.length);
        }),
      );
      for (const [index, [, , idOf]] of examples.entries()) {
        if (index > 0) expect(linesOf(waiting[index]!).map(idOf)).toEqual(all);
      }
      await Promise.all(waiting.map(kill));
      const places = readdirSync(emptyHome).filter((name) => name.endsWith(".place"));
      expect(places.sort()).toEqual(["python-subscriber.place", "shell-subscriber.place"]);
      expect(existsSync(join(projectRoot, "feed.place"))).toBe(false);
    });

    it("have credentials that only the owner of the home can read", () => {
      expect(statSync(join(product.home, "nats/subscriber.creds")).mode & 0o777).toBe(0o600);
    });
  });

  describe("cazi feed", () => {
    it("prints the transitions asked for, those that are there and those that come", async () => {
      const succeeded = (await events()).filter(({ body }) => body.type === "succeeded").length;
      const feed = product.startCazi(["feed", "--types", "succeeded", "--after", "0", "-o", "jsonl"]);
      running.push(feed);
      await waitFor("what is there", () => linesOf(feed).length === succeeded);
      await submitAndEnd(1);
      await waitFor("what comes", () => linesOf(feed).length === succeeded + 1);
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
}
