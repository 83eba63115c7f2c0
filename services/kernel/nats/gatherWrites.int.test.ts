import { readFileSync } from "node:fs";
import { connect, credsAuthenticator } from "nats";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { withNatsClient } from "../../../test/support/withNatsClient.ts";
import type { Nats } from "./connectNats.ts";

const client = withNatsClient();
const { server } = client;

describe("a connection that gathers its writes", () => {
  let nats: Nats;
  beforeAll(() => {
    ({ nats } = client);
  });

  it("sends what one turn publishes with one write, in order", async () => {
    const { transport } = (nats.connection as unknown as { protocol: { transport: { send(): void } } })
      .protocol;
    const writes = vi.spyOn(transport, "send");
    const subscription = nats.connection.subscribe("gathered", { max: 50 });
    for (let i = 0; i < 50; i++) {
      nats.connection.publish("gathered", String(i));
      // Each in a microtask of its own, as after an awaited answer.
      await Promise.resolve();
    }
    const got: string[] = [];
    for await (const message of subscription) got.push(message.string());
    expect(got).toEqual(Array.from({ length: 50 }, (_, i) => String(i)));
    expect(writes.mock.calls.length).toBe(1);
    writes.mockRestore();
  });

  it("sends a message larger than what may be gathered, and keeps the order around it", async () => {
    const subscription = nats.connection.subscribe("large", { max: 3 });
    nats.connection.publish("large", "before");
    nats.connection.publish("large", "x".repeat(200_000));
    nats.connection.publish("large", "after");
    const lengths: number[] = [];
    for await (const message of subscription) lengths.push(message.data.length);
    expect(lengths).toEqual([6, 200_000, 5]);
  });

  it("sends before it closes", async () => {
    const other = await client.connect("other");
    const subscription = nats.connection.subscribe("last", { max: 1 });
    await nats.connection.flush();
    other.connection.publish("last", "word");
    await other.close();
    for await (const message of subscription) expect(message.string()).toBe("word");
  });

  it("still answers requests after the server was away", async () => {
    await server.kill();
    await server.restart();
    const echo = await connect({
      servers: server.url,
      authenticator: credsAuthenticator(readFileSync(server.credsFile)),
    });
    echo.subscribe("ask", { callback: (_error, message) => void message.respond("answer") });
    await echo.flush();
    await vi.waitFor(
      async () =>
        expect((await nats.connection.request("ask", "", { timeout: 500 })).string()).toBe("answer"),
      { timeout: 20_000 },
    );
    await echo.close();
  });
});
