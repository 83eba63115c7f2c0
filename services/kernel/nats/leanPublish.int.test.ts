import { ErrorCode, headers, NatsError } from "nats";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { withNatsClient } from "../../../test/support/withNatsClient.ts";
import type { Nats } from "./connectNats.ts";
import { isWrongSequence } from "./natsError.ts";

const client = withNatsClient();

describe("a lean publish", () => {
  let nats: Nats;
  beforeAll(async () => {
    ({ nats } = client);
    await nats.jsm.streams.add({ name: "LEAN", subjects: ["lean.>"] });
  });

  it("is in use, and makes no request of the client's own", async () => {
    const asked = vi.spyOn(nats.connection, "request");
    const { stream, seq, duplicate } = await nats.js.publish("lean.first", "a");
    expect({ stream, seq, duplicate }).toEqual({ stream: "LEAN", seq: 1, duplicate: false });
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  it("stores bytes and headers as they were given", async () => {
    const head = headers();
    head.append("ce-type", "one");
    head.append("ce-type", "two");
    const { seq } = await nats.js.publish("lean.head", Uint8Array.of(0, 255, 10), { headers: head });
    const { data, header } = await nats.jsm.streams.getMessage("LEAN", { seq });
    expect([...data]).toEqual([0, 255, 10]);
    expect(header.values("ce-type")).toEqual(["one", "two"]);
  });

  it("gives each of many at once the answer that is its own", async () => {
    const acks = await Promise.all(
      Array.from({ length: 200 }, (_, i) => nats.js.publish(`lean.many.${i}`, String(i))),
    );
    const stored = await nats.jsm.streams.getMessage("LEAN", { seq: acks[123]!.seq });
    expect(stored.subject).toBe("lean.many.123");
  });

  it("is refused on another sequence than expected, of a subject and of the stream, as the client tells it", async () => {
    const { seq } = await nats.js.publish("lean.expect", "a", { expect: { lastSubjectSequence: 0 } });
    for (const expect_ of [{ lastSubjectSequence: 0 }, { lastSequence: seq + 5 }]) {
      const refused: unknown = await nats.js.publish("lean.expect", "b", { expect: expect_ }).catch((e) => e);
      expect(refused).toBeInstanceOf(NatsError);
      expect(isWrongSequence(refused)).toBe(true);
    }
    const next = await nats.js.publish("lean.expect", "b", { expect: { lastSubjectSequence: seq } });
    expect(next.seq).toBeGreaterThan(seq);
  });

  it("says which message is a repeat of one with the same id", async () => {
    const first = await nats.js.publish("lean.id", "a", { msgID: "same" });
    const again = await nats.js.publish("lean.id", "a", { msgID: "same" });
    expect(again).toMatchObject({ seq: first.seq, duplicate: true });
  });

  it("lets no header end its line", async () => {
    const broken = nats.js.publish("lean.id", "a", { msgID: "x\r\nNats-Rollup: all" });
    await expect(broken).rejects.toMatchObject({ code: ErrorCode.BadHeader });
  });

  it("tells at once where no stream takes the subject, and in time where nobody answers", async () => {
    await expect(nats.js.publish("nowhere.at.all", "a")).rejects.toMatchObject({
      code: ErrorCode.NoResponders,
    });
    nats.connection.subscribe("silent.one", { callback: () => {} });
    await expect(nats.js.publish("silent.one", "a", { timeout: 50 })).rejects.toMatchObject({
      code: ErrorCode.Timeout,
    });
  });

  it("ends what waits when the connection closes", async () => {
    const other = await client.connect("other");
    other.connection.subscribe("silent.two", { callback: () => {} });
    await other.connection.flush();
    const ended = expect(other.js.publish("silent.two", "a", { timeout: 60_000 })).rejects.toBeInstanceOf(
      NatsError,
    );
    await other.connection.close();
    await ended;
    await expect(other.js.publish("lean.closed", "a")).rejects.toMatchObject({
      code: ErrorCode.ConnectionClosed,
    });
  });
});
