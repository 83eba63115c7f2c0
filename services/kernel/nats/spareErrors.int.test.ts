import { ErrorCode, NatsError } from "nats";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { withNatsClient } from "../../../test/support/withNatsClient.ts";
import type { Nats } from "./connectNats.ts";

const client = withNatsClient();

describe("a connection that spares errors", () => {
  let nats: Nats;
  beforeAll(async () => {
    ({ nats } = client);
    nats.connection.subscribe("spare.echo", { callback: (_error, message) => void message.respond("here") });
    await nats.connection.flush();
  });

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
    const other = await client.connect("other");
    other.connection.subscribe("spare.slow", { callback: () => {} });
    await other.connection.flush();
    const waiting = other.connection.request("spare.slow", "", { timeout: 60_000 });
    const ended = expect(waiting).rejects.toBeInstanceOf(NatsError);
    await other.connection.close();
    await ended;
  });
});
