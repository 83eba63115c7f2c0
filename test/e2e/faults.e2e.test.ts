/** Servers die under load, cancels race with ends: each acknowledged task ends once, and the read models say so. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ProcessIdentity } from "../../deploy/bootstrap/processIdentity.mjs";
import { databaseOf } from "../../services/cli/dependencies.ts";
import { bySubject, endsIn, natsOfHome, readLedger } from "../support/homeLedger.ts";
import { killProcesses } from "../support/processTree.ts";
import { withProduct } from "../support/product.ts";
import { conflicts, foldedRows, hashesOf, storedRows } from "../support/readModels.ts";
import { seededRandom, testSeed } from "../support/seededRandom.ts";
import { submitLoad } from "../support/submitLoad.ts";
import { waitFor } from "../support/waitFor.ts";

const product = withProduct({
  CAZI_NODE_RUNTIME: "noop",
  CAZI_NODE_SLOTS: "64",
  CAZI_CLAIM_LIMIT_SECONDS: "5",
  CAZI_START_LIMIT_SECONDS: "10",
});
const random = seededRandom(testSeed);
console.info(`TEST_SEED=${testSeed}`);
const image = "cazi/toolbox:latest";
const task = (command: readonly string[]) => ({ image, command, timeout_seconds: 60 });
const databaseUrl = () => databaseOf({ home: product.home, databaseUrl: "" }).url;

function serverOf(folder: "nats" | "postgres"): ProcessIdentity {
  return JSON.parse(readFileSync(join(product.home, folder, "server.pid"), "utf8"));
}

/** SIGKILLs a server until `working` settles, at most `times`, each once its successor is there. */
async function killWhile(
  folder: "nats" | "postgres",
  times: number,
  working: Promise<unknown>,
): Promise<number> {
  let isOver = false;
  void working.finally(() => {
    isOver = true;
  });
  let kills = 0;
  while (kills < times && !isOver) {
    await pause(200 + 500 * random());
    const before = serverOf(folder);
    await killProcesses([before]);
    kills++;
    await waitFor(`another ${folder} server`, () => serverOf(folder).pid !== before.pid, {
      deadlineMs: 60_000,
    });
  }
  return kills;
}

/** Every one of `ids` has one end in the ledger. */
async function allEndOnce(ids: readonly string[]): Promise<void> {
  expect(new Set(ids).size).toBe(ids.length);
  await waitFor(
    `all ${ids.length} tasks to end`,
    async () => {
      const histories = bySubject(await readLedger(natsOfHome(product.home)));
      const ends = new Map(
        [...histories].map(([subject, events]) => [subject.split(".").at(-1), endsIn(events)]),
      );
      const doubled = [...ends.values()].filter((count) => count > 1);
      expect(doubled).toEqual([]);
      const missing = ids.filter((id) => ends.get(id) !== 1);
      if (missing.length > 0) throw new Error(`${missing.length} have not ended, such as ${missing[0]}`);
      return true;
    },
    { deadlineMs: 120_000, pollMs: 1_000 },
  );
}

const isReady = () =>
  waitFor(
    "the product to be ready",
    async () => (await product.api.request("GET", "/readyz")).status === 200,
    {
      deadlineMs: 60_000,
      pollMs: 100,
    },
  );

describe("every acknowledged task ends once", () => {
  it("while the NATS server is killed again and again", async () => {
    const load = submitLoad(product.api, {
      count: 500,
      atOnce: 16,
      spec: (index) => task(index % 10 === 0 ? ["sleep", "0.3"] : ["true"]),
    });
    const kills = await killWhile("nats", 4, load);
    const { ids } = await load;
    expect(kills).toBeGreaterThan(0);
    await allEndOnce(ids);
    await isReady();
  });

  it("while Postgres is killed, and reads answer again", async () => {
    const load = submitLoad(product.api, { count: 200, atOnce: 8, spec: () => task(["true"]) });
    const kills = await killWhile("postgres", 2, load);
    const { ids } = await load;
    expect(kills).toBeGreaterThan(0);
    await allEndOnce(ids);
    await isReady();
    expect(await product.api.ended(ids[0]!)).toMatchObject({ status: "succeeded" });
  });

  it("whether its cancel or its own exit comes first", async () => {
    const { ids } = await submitLoad(product.api, {
      count: 200,
      atOnce: 16,
      spec: () => task(["sleep", "0.2"]),
    });
    const answers = await Promise.all(
      ids.map(async (id, index) => {
        await pause(random() * 2 * index);
        return (await product.api.cancel(id)).status;
      }),
    );
    expect(answers.filter((status) => status !== 202 && status !== 409)).toEqual([]);
    await allEndOnce(ids);
    const ends = new Set<string>();
    for (const id of ids) ends.add((await product.api.ended(id)).status);
    expect([...ends].filter((status) => status !== "cancelled" && status !== "succeeded")).toEqual([]);
  });
});

describe("the read models", () => {
  it("hold for each task what its events fold to, and a rebuild makes the same rows", async () => {
    const expected = foldedRows(await readLedger(natsOfHome(product.home)));
    expect(expected.length).toBeGreaterThanOrEqual(900);
    await waitFor(
      "the projector to catch up",
      async () => {
        const stored = await storedRows(databaseUrl());
        return stored.length === expected.length && stored.every((row) => row.finished_at !== null);
      },
      { deadlineMs: 60_000, pollMs: 200 },
    );
    expect(await storedRows(databaseUrl())).toEqual(expected);
    const before = await hashesOf(databaseUrl());
    const rebuilt = await product.cazi("projections", "rebuild");
    expect([rebuilt.exit, rebuilt.stderr.toString()]).toEqual([0, expect.stringContaining("built anew")]);
    expect(await hashesOf(databaseUrl())).toEqual(before);
    expect(await conflicts(databaseUrl())).toBe(0);
    expect((await product.api.list("?limit=1")).data).toHaveLength(1);
  });
});
