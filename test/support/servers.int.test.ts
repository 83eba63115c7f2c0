import { readFileSync } from "node:fs";
import { connect, credsAuthenticator } from "nats";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { withNats } from "./withNats.ts";
import { hasNativePostgres, withPostgres } from "./withPostgres.ts";

describe("a test's own NATS server", () => {
  const nats = withNats();

  it("keeps acknowledged messages through a kill -9", async () => {
    const open = () =>
      connect({ servers: nats.url, authenticator: credsAuthenticator(readFileSync(nats.credsFile)) });
    const before = await open();
    await (await before.jetstreamManager()).streams.add({ name: "KEPT", subjects: ["kept.>"] });
    await before.jetstream().publish("kept.one", "1");
    await nats.kill();
    await before.close();
    await nats.restart();
    const after = await open();
    const stream = await (await after.jetstreamManager()).streams.info("KEPT");
    expect(stream.state.messages).toBe(1);
    await after.close();
  });
});

const kinds = ["embedded", "native"] as const;
describe.each(kinds.filter((kind) => kind === "embedded" || hasNativePostgres))(
  "a test's own %s Postgres",
  (kind) => {
    const postgres = withPostgres(kind);

    it("begins empty and keeps committed rows through a kill -9", async () => {
      const before = new pg.Client({ connectionString: postgres.url });
      before.on("error", () => {});
      await before.connect();
      await before.query("CREATE TABLE kept (id int)");
      await before.query("INSERT INTO kept VALUES (1)");
      await postgres.kill();
      await postgres.restart();
      const after = new pg.Client({ connectionString: postgres.url });
      await after.connect();
      expect((await after.query("SELECT id FROM kept")).rows).toEqual([{ id: 1 }]);
      await after.end();
    });
  },
);
