import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../../test/support/waitFor.ts";
import { startTestPostgres, type TestPostgres } from "../../test/support/withPostgres.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres("embedded");
});
afterAll(() => postgres.stop());

async function client(): Promise<pg.Client> {
  const one = new pg.Client({ connectionString: postgres.url });
  one.on("error", () => {});
  await one.connect();
  return one;
}

describe("the embedded Postgres", () => {
  it("never mixes the statements of two connections, named or not", async () => {
    const pair = [await client(), await client()];
    await Promise.all(
      pair.map(async (one, own) => {
        const text = own === 0 ? "SELECT $1::int AS v" : "SELECT $1::int + 1000 AS v";
        for (let i = 0; i < 100; i++) {
          const named = await one.query({ name: "q", text, values: [i] });
          const plain = await one.query(text, [i]);
          expect([named.rows[0].v, plain.rows[0].v]).toEqual([i + own * 1000, i + own * 1000]);
        }
      }),
    );
    await Promise.all(pair.map((one) => one.end()));
  });

  it("keeps other connections out of a transaction, and rolls it back when its client vanishes", async () => {
    const [first, second] = [await client(), await client()];
    await first.query("CREATE TABLE vanished (id int)");
    await first.query("BEGIN");
    await first.query("INSERT INTO vanished VALUES (1)");
    const count = second.query("SELECT count(*)::int AS n FROM vanished");
    (first as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect((await count).rows).toEqual([{ n: 0 }]);
    await second.end();
  });

  it("ends a client that holds a transaction for 5 s, and serves the next", async () => {
    const [idle, waiting] = [await client(), await client()];
    await idle.query("CREATE TABLE overstayed (id int)");
    await idle.query("BEGIN");
    await idle.query("INSERT INTO overstayed VALUES (1)");
    expect((await waiting.query("SELECT count(*)::int AS n FROM overstayed")).rows).toEqual([{ n: 0 }]);
    await expect(idle.query("COMMIT")).rejects.toThrow();
    await waiting.end();
  });

  it("forgets what a session set once the last connection has gone", async () => {
    const first = await client();
    await first.query("SET search_path TO nowhere");
    await first.end();
    const clean = await waitFor("a clean session", async () => {
      const next = await client();
      const { rows } = await next.query("SHOW search_path");
      await next.end();
      return rows[0].search_path !== "nowhere";
    });
    expect(clean).toBe(true);
  });

  it("loses no acknowledged row through ten kills under load", { timeout: 180_000 }, async () => {
    const setup = await client();
    await setup.query("CREATE TABLE load (id int PRIMARY KEY, filler text)");
    await setup.end();
    let acknowledged = 0;
    for (let kill = 0; kill < 10; kill++) {
      const writer = await client();
      const writing = (async () => {
        for (;;) {
          await writer.query("INSERT INTO load VALUES ($1, repeat('x', 2000))", [acknowledged + 1]);
          acknowledged++;
        }
      })().catch(() => {});
      const goal = acknowledged + 20 + 13 * kill;
      await waitFor("rows to be written", () => acknowledged >= goal, { deadlineMs: 30_000, pollMs: 2 });
      await postgres.kill();
      await writing;
      await postgres.restart();
      const reader = await client();
      const { rows } = await reader.query("SELECT count(*)::int AS n, coalesce(max(id), 0) AS top FROM load");
      await reader.end();
      expect(rows[0].n).toBeGreaterThanOrEqual(acknowledged);
      expect(rows[0].n).toBe(rows[0].top);
      acknowledged = rows[0].n;
    }
  });
});
