import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../../../test/support/waitFor.ts";
import { type PostgresKind, withPostgres } from "../../../test/support/withPostgres.ts";
import { createLog } from "../log.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { type DatabasePool, openPool } from "./openPool.ts";
import { asOwner, inTenant, queryInTenant } from "./transaction.ts";

const log = createLog("silent", "test");
const app = { role: "app", tenant: "acme" } as const;
const projector = { role: "projector", tenant: null } as const;

describe.each<PostgresKind>(["native", "embedded"])("Postgres, %s", (kind) => {
  const server = withPostgres(kind);
  let pool: DatabasePool;
  const open = (url = server.url) => openPool({ url, size: kind === "native" ? 4 : 1, log });
  beforeAll(() => {
    pool = open();
  });
  afterAll(() => pool.end());

  it("applies all migrations once, and then none", async () => {
    const names = readMigrations().map((one) => one.name);
    expect(await migrate(pool)).toEqual(names);
    expect(await migrate(pool)).toEqual([]);
  });

  it("lets several processes migrate at once", async () => {
    const others = [open(), open(), open()];
    expect(await Promise.all(others.map((one) => migrate(one)))).toEqual([[], [], []]);
    await Promise.all(others.map((one) => one.end()));
  });

  it("refuses an edited migration and a database newer than the files, and changes nothing", async () => {
    const files = readMigrations();
    const edited = files.map((one, index) => (index === 1 ? { ...one, sha256: "f".repeat(64) } : one));
    await expect(migrate(pool, edited)).rejects.toMatchObject({ code: "MIGRATION_EDITED" });
    await expect(migrate(pool, files.slice(0, -1))).rejects.toMatchObject({ code: "DATABASE_NEWER" });
    const broken = {
      name: "999999_broken",
      sha256: "0".repeat(64),
      sql: "CREATE TABLE half (); SELECT nonsense",
    };
    await expect(migrate(pool, [...files, broken])).rejects.toMatchObject({ code: "42703" });
    const [row] = await queryInTenant(pool, app, "SELECT to_regclass('half') AS half", []);
    expect(row).toEqual({ half: null });
  });

  it("runs each query under the role and the tenant, and leaves nothing behind", async () => {
    const who = "SELECT current_user AS role, current_setting('app.tenant', true) AS tenant";
    expect(await queryInTenant(pool, app, who, [])).toEqual([{ role: "cazi_app", tenant: "acme" }]);
    expect(await inTenant(pool, projector, async (client) => (await client.query(who)).rows)).toEqual([
      { role: "cazi_projector", tenant: "" },
    ]);
    const after = await asOwner(pool, async (client) => (await client.query(who)).rows[0]!);
    expect(after).toMatchObject({ role: "postgres" });
    expect(after.tenant ?? "").toBe("");
  });

  it("keeps each role to what the migrations grant", async () => {
    await expect(queryInTenant(pool, app, "DELETE FROM tasks", [])).rejects.toMatchObject({ code: "42501" });
    await expect(queryInTenant(pool, app, "SELECT * FROM ledger_conflicts", [])).rejects.toMatchObject({
      code: "42501",
    });
    // The projector takes out what was erased, and changes nothing that was copied.
    for (const [access, text] of [
      [projector, "UPDATE ledger_events SET at = 0"],
      [projector, "TRUNCATE ledger_events"],
      [app, "DELETE FROM ledger_events"],
    ] as const) {
      await expect(queryInTenant(pool, access, text, [])).rejects.toMatchObject({ code: "42501" });
    }
    await expect(queryInTenant(pool, app, "CREATE TABLE mine ()", [])).rejects.toMatchObject({
      code: "42501",
    });
  });

  it("refuses a tenant that is not a name before anything is sent", async () => {
    const access = { role: "app", tenant: "x'; DROP TABLE tasks; --" } as const;
    await expect(queryInTenant(pool, access, "SELECT 1", [])).rejects.toMatchObject({ code: "NAME_INVALID" });
  });

  it("undoes a transaction whose function rejects, and the connection stays usable", async () => {
    const insert = "INSERT INTO checkpoints (shard, epoch, seq) VALUES (9, 'e', 0)";
    await expect(
      inTenant(pool, projector, async (client) => {
        await client.query(insert);
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    const rows = await queryInTenant(pool, projector, "SELECT * FROM checkpoints WHERE shard = 9", []);
    expect(rows).toEqual([]);
  });

  it("does not pass off a swallowed failure as a commit", async () => {
    await expect(
      inTenant(pool, projector, (client) => client.query("SELECT nonsense").catch(() => undefined)),
    ).rejects.toThrow(/nothing was committed/);
  });

  it("gives a bigint as a number where that is exact, else as a bigint", async () => {
    const sql = "SELECT 9007199254740991::bigint AS exact, 9007199254740993::bigint AS large";
    expect(await queryInTenant(pool, app, sql, [])).toEqual([
      { exact: Number.MAX_SAFE_INTEGER, large: 9007199254740993n },
    ]);
  });

  it("serves many callers at once from few connections, each with its own tenant", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        queryInTenant<{ tenant: string }>(
          pool,
          { role: "app", tenant: `t${index}` },
          "SELECT current_setting('app.tenant') AS tenant",
          [],
        ),
      ),
    );
    expect(answers.map(([row]) => row?.tenant)).toEqual(
      Array.from({ length: 50 }, (_, index) => `t${index}`),
    );
  });

  it("says DATABASE_UNAVAILABLE while the server is away, and goes on when it is back", async () => {
    await server.kill();
    await expect(queryInTenant(pool, app, "SELECT 1 AS one", [])).rejects.toMatchObject({
      code: "DATABASE_UNAVAILABLE",
      family: "retryable",
    });
    await server.restart();
    const [row] = await waitFor("an answer", () => queryInTenant(pool, app, "SELECT 1 AS one", []));
    expect(row).toEqual({ one: 1 });
  });
});

describe("a login that inherits nothing, native", () => {
  const server = withPostgres("native");

  it("can do nothing without changing to a role, and its work with it", async () => {
    const owner = openPool({ url: server.url, size: 1, log });
    await migrate(owner);
    await asOwner(owner, (client) =>
      client.query("CREATE ROLE limited LOGIN NOINHERIT; GRANT cazi_app, cazi_projector TO limited"),
    );
    const limited = openPool({ url: server.url.replace("//postgres@", "//limited@"), size: 1, log });
    const forgotten = asOwner(limited, (client) => client.query("SELECT * FROM tasks"));
    await expect(forgotten).rejects.toMatchObject({ code: "42501" });
    expect(await queryInTenant(limited, app, "SELECT * FROM tasks", [])).toEqual([]);
    await limited.end();
    await owner.end();
  });
});
