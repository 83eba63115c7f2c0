import { ErrorCode, NatsError } from "nats";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { withNats } from "../../../test/support/withNats.ts";
import { connectNats, type Nats } from "./connectNats.ts";

const server = withNats();
const connect = (name: string) =>
  connectNats({ url: server.url, credsFile: server.credsFile, name, firstWaitMs: 5_000 });

describe("a connection that spares errors", () => {
  let nats: Nats;
  beforeAll(async () => {
    nats = await connect("test");
    nats.connection.subscribe("spare.echo", { callback: (_error, message) => void message.respond("here") });
    await nats.connection.flush();
  });
  afterAll(() => nats.close());

  it("makes no error for requests that are answered", async () => {
    const made = vi.spyOn(NatsError, "errorForCode");
    for (let i = 0; i < 20; i++)
      expect((await nats.connection.request("spare.echo", "", { timeout: 5_000 })).string()).toBe("here");
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it("still tells a request that nobody answers", async () => {
    await expect(nats.connection.request("spare.nobody", "", { timeout: 5_000 })).rejects.toMatchObject({
      code: ErrorCode.NoResponders,
    });
    nats.connection.subscribe("spare.silent", { callback: () => {} });
    await expect(nats.connection.request("spare.silent", "", { timeout: 50 })).rejects.toMatchObject({
      code: ErrorCode.Timeout,
    });
  });

  it("still ends what waits when the connection closes", async () => {
    const other = await connect("other");
    other.connection.subscribe("spare.slow", { callback: () => {} });
    await other.connection.flush();
    const waiting = other.connection.request("spare.slow", "", { timeout: 60_000 });
    const ended = expect(waiting).rejects.toBeInstanceOf(NatsError);
    await other.connection.close();
    await ended;
  });
});
