import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodies, ledgerHistory, lifeOf } from "../../../test/support/ledgerHistory.ts";
import { type PostgresKind, withPostgres } from "../../../test/support/withPostgres.ts";
import { createLog } from "../../kernel/log.ts";
import { migrate } from "../../kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../../kernel/postgres/openPool.ts";
import { beginAtCheckpoint } from "../../projector/checkpoint.ts";
import { project } from "../../projector/project.ts";
import { writeBatch } from "../../projector/writeBatch.ts";
import { storedBytesKnownMs } from "../limits.ts";
import { countStored } from "./countStored.ts";

const log = createLog("silent", "test");
/** Bytes that each attempt of these histories stored. */
const OUTPUT = 3;

describe.each<PostgresKind>(["native", "embedded"])("stored output, %s Postgres", (kind) => {
  const server = withPostgres(kind);
  const history = ledgerHistory();
  let pool: DatabasePool;
  let written = 0;

  async function write(): Promise<void> {
    const events = history.events.slice(written);
    const to = { seq: history.events.length, eventId: history.events.at(-1)!.event.id };
    await writeBatch(pool, { shard: 0, epoch: "e", fromSeq: written, to }, project(events));
    written = to.seq;
  }

  beforeAll(async () => {
    pool = openPool({ url: server.url, size: kind === "native" ? 3 : 1, log });
    await migrate(pool);
    await beginAtCheckpoint(pool, 0, "e");
  });
  afterAll(() => pool.end());

  it("is that of every attempt of the tenant's tasks, each once whether the task waits, runs again or is over", async () => {
    const submitted = bodies.submitted({});
    const [, ...first] = lifeOf("1.a");
    const started = first.slice(0, 3);
    const [, ...second] = lifeOf("1.b");
    history.append("once", submitted, ...first);
    history.append("other/theirs", submitted, ...first);
    history.append("again", submitted, ...started, bodies.retrying("1.a"));
    await write();
    const count = async () => countStored(pool, () => 0)("default");
    expect(await count()).toBe(2 * OUTPUT);
    history.append("again", ...second.slice(0, 3));
    await write();
    expect(await count()).toBe(2 * OUTPUT);
    history.append("again", second[3]!);
    await write();
    expect(await count()).toBe(3 * OUTPUT);
  });

  it("is counted again after a while, and while Postgres is away what was known last is the answer", async () => {
    let now = 0;
    let away = false;
    const maybe: DatabasePool = {
      ...pool,
      connect: () => (away ? Promise.reject(new Error("there is no Postgres")) : pool.connect()),
    };
    const count = countStored(maybe, () => now);
    expect(await count("default")).toBe(3 * OUTPUT);
    away = true;
    now += storedBytesKnownMs;
    expect([await count("default"), await count("other")]).toEqual([3 * OUTPUT, 0]);
    away = false;
    now += storedBytesKnownMs;
    expect([await count("default"), await count("other")]).toEqual([3 * OUTPUT, OUTPUT]);
  });

  it("does not keep its caller waiting for a Postgres that says nothing", async () => {
    const silent: DatabasePool = { ...pool, connect: () => new Promise(() => undefined) };
    expect(await countStored(silent, () => 0)("default")).toBe(0);
  });
});
