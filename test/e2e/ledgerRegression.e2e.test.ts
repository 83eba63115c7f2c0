/** A ledger that lost events is never written to: it is said, and waits for a person, who repairs it from its copy. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Health } from "../../schemas/api/health.ts";
import { databaseOf } from "../../services/cli/dependencies.ts";
import type { ProblemBody } from "../support/apiRequests.ts";
import { ledgerLength, natsOfHome, readLedger } from "../support/homeLedger.ts";
import { flipBit, ledgerBlocks } from "../support/ledgerFiles.ts";
import { withProduct } from "../support/product.ts";
import { hashesOf } from "../support/readModels.ts";
import { tempHome } from "../support/tempHome.ts";
import { waitFor } from "../support/waitFor.ts";

const product = withProduct({ CAZI_NODE_RUNTIME: "noop" });
const older = tempHome();
const spec = { image: "cazi/toolbox:latest", command: ["true"] };
const data = () => join(product.home, "nats", "data");
const length = () => ledgerLength(natsOfHome(product.home));

async function runOne(): Promise<string> {
  const { id } = await product.api.submit(spec);
  await product.api.ended(id);
  return id;
}

async function expectStopped(): Promise<void> {
  const before = await length();
  const health = await waitFor(
    "readyz to say it",
    async () => {
      const { status, body } = await product.api.request<Health>("GET", "/readyz");
      return status === 503 && JSON.stringify(body).includes("LEDGER_REGRESSED") ? body : null;
    },
    { deadlineMs: 30_000, pollMs: 200 },
  );
  expect(health.reasons.length).toBeGreaterThan(0);
  for (let attempt = 0; attempt < 3; attempt++) {
    const { status, body } = await product.api.request<ProblemBody>("POST", "/v1/tasks", { body: spec });
    expect([status, body.code]).toEqual([503, "LEDGER_REGRESSED"]);
  }
  expect(await length()).toBe(before);
}

/** Waits until Postgres has a copy of every event: what was not copied, nobody can miss. */
function allCopied(): Promise<unknown> {
  return waitFor(
    "the copy to be complete",
    async () => {
      const { exit, stdout } = await product.cazi("ledger", "verify", "-o", "json");
      return exit === 0 && (JSON.parse(stdout.toString()) as { beyond: number }).beyond === 0;
    },
    { deadlineMs: 60_000, pollMs: 200 },
  );
}

beforeAll(async () => {
  await runOne();
  await product.stop();
  cpSync(data(), older.path, { recursive: true });
  await product.start();
  for (let n = 0; n < 3; n++) await runOne();
  await allCopied();
  await product.stop();
  return () => older.remove();
});

it("an older copy of the ledger's data takes no submit, and readyz says why", async () => {
  cpSync(data(), join(older.path, "newest"), { recursive: true });
  rmSync(data(), { recursive: true });
  cpSync(older.path, data(), { recursive: true, filter: (path) => !path.includes("newest") });
  await product.start();
  await expectStopped();
});

it("with the right data back in its place everything goes on", async () => {
  await product.stop();
  rmSync(data(), { recursive: true });
  cpSync(join(older.path, "newest"), data(), { recursive: true });
  await product.start();
  const id = await runOne();
  const listed = async () => (await product.api.list()).data.map((task) => task.id);
  await waitFor("it to be listed", async () => (await listed()).includes(id));
  expect(await listed()).toHaveLength(5);
});

describe("a repair from the copy", () => {
  const hashes = () => hashesOf(databaseOf({ home: product.home, databaseUrl: "" }).url);
  const events = async () =>
    (await readLedger(natsOfHome(product.home))).map(({ seq, subject, bytes }) => [seq, subject, bytes]);
  let before: { hashes: Awaited<ReturnType<typeof hashes>>; events: Awaited<ReturnType<typeof events>> };

  const ready = () =>
    waitFor("Cazi to be ready", async () => (await product.api.request("GET", "/readyz")).status === 200, {
      deadlineMs: 30_000,
      pollMs: 200,
    });

  async function expectRepaired(): Promise<void> {
    expect(await hashes()).toEqual(before.hashes);
    expect((await events()).slice(0, before.events.length)).toEqual(before.events);
    expect((await product.cazi("ledger", "verify")).exit).toBe(0);
  }

  it("a ledger whose data is gone takes no submit either, until a repair has given it every event back", async () => {
    await allCopied();
    before = { hashes: await hashes(), events: await events() };
    await product.stop();
    rmSync(data(), { recursive: true });
    await product.start();
    expect(product.up.text()).toMatch(/\nup at http\S+\n {2}but takes no task: the ledger has lost events/);
    await expectStopped();
    const dry = await product.cazi("ledger", "repair", "--dry-run");
    expect([dry.exit, dry.stdout.toString()]).toEqual([1, expect.stringContaining("plan: append")]);
    const repaired = await product.cazi("ledger", "repair");
    expect([repaired.exit, repaired.stderr.toString()]).toEqual([0, expect.stringContaining("is whole")]);
    await expectRepaired();
    await waitFor(
      "Cazi to be ready",
      async () => (await product.api.request("GET", "/readyz")).status === 200,
      {
        deadlineMs: 30_000,
        pollMs: 200,
      },
    );
    await runOne();
  });

  it("a ledger with a flipped bit takes no submit, until a repair has made it anew and Cazi was started again", async () => {
    await allCopied();
    before = { hashes: await hashes(), events: await events() };
    await product.stop();
    flipBit(ledgerBlocks(data()).at(-1)!);
    await product.start();
    await expectStopped();
    const repaired = await product.cazi("ledger", "repair");
    expect([repaired.exit, repaired.stderr.toString()]).toEqual([
      0,
      expect.stringContaining("Start Cazi again"),
    ]);
    await expectRepaired();
    await product.stop();
    await product.start();
    await runOne();
    // The relay as well: its cursor is of the epoch before.
    await ready();
    expect((await product.cazi("ledger", "conflicts", "-o", "json")).stdout.toString()).toBe("[]\n");
    expect((await product.api.list()).data).toHaveLength(7);
  });
});
