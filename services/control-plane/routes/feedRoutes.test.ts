import { request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { bodies, ledgerHistory, lifeOf } from "../../../test/support/ledgerHistory.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { createSseParser, type SseMessage } from "../../kernel/client/sseParser.ts";
import { feedStreamsMax } from "../limits.ts";
import { type ApiFixture, apiFixture, testTenant, testToken } from "../testing/apiFixture.ts";
import { memoryFeed } from "../testing/memoryFeed.ts";

const open: { fixture: ApiFixture; answers: IncomingMessage[] }[] = [];
afterEach(async () => {
  for (const { fixture, answers } of open.splice(0)) {
    for (const answer of answers) answer.destroy();
    fixture.stopping.abort();
    await fixture.app.close();
  }
});

async function serve() {
  const history = ledgerHistory(testTenant)
    .append("t1", ...lifeOf("f1"))
    .append("other/t2", ...lifeOf("f2"));
  const feed = memoryFeed(history.events as never);
  const fixture = await apiFixture({ feed: feed.source });
  await fixture.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = fixture.app.server.address() as AddressInfo;
  const answers: IncomingMessage[] = [];
  open.push({ fixture, answers });
  const ask = (query: string, headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const path = `/v1/events/stream${query}`;
      const all = { authorization: `Bearer ${testToken}`, ...headers };
      httpRequest({ host: "127.0.0.1", port, path, headers: all }, (answer) => {
        answers.push(answer);
        resolve(answer);
      })
        .on("error", reject)
        .end();
    });
  return { history, feed, fixture, ask };
}

/** Messages as they come. */
function messagesOf(answer: IncomingMessage): { got: SseMessage[]; ended: () => boolean } {
  const got: SseMessage[] = [];
  const parse = createSseParser();
  let ended = false;
  answer.setEncoding("utf8");
  answer.on("data", (text: string) => got.push(...parse(text)));
  answer.on("end", () => {
    ended = true;
  });
  return { got, ended: () => ended };
}
const dataOf = (message: SseMessage) => JSON.parse(message.data);
const typesIn = (got: readonly SseMessage[]) =>
  got.filter(({ event }) => event === "task").map((one) => dataOf(one).data.type);

describe("the stream of events", () => {
  it("begins with what comes from now on, and gives the caller's tenant nothing of others", async () => {
    const { history, ask } = await serve();
    const { got } = messagesOf(await ask(""));
    await waitFor("the start", () => got.length === 1);
    expect(got[0]).toMatchObject({ event: "start", id: "10-00000001" });
    expect(dataOf(got[0]!)).toEqual({ first: 1, last: 10 });
    history.append("other/t3", bodies.submitted()).append("t4", bodies.submitted());
    await waitFor("the event", () => got.length === 2);
    expect(got[1]).toMatchObject({ event: "task", id: "12-00000001" });
    expect(dataOf(got[1]!)).toMatchObject({ subject: "t4", source: `/tenants/${testTenant}` });
  });

  it("gives each event as a CloudEvent whose data has the names of the list of events", async () => {
    const { ask } = await serve();
    const { got } = messagesOf(await ask("?after=0"));
    await waitFor("five events", () => got.length === 6);
    const event = dataOf(got[5]!);
    expect(event).toMatchObject({
      specversion: "1.0",
      id: "e5",
      type: "cazi.task.v1.succeeded",
      subject: "t1",
      datacontenttype: "application/json",
      dataschema: expect.stringMatching(/^\/v1\/schemas\/[0-9a-f]{16}$/),
      data: {
        id: "e5",
        seq: 5,
        task: "t1",
        type: "succeeded",
        status: "succeeded",
        attempt: 1,
        node: "local",
      },
    });
    expect(event.time).toBe(event.data.at);
  });

  it("gives the task's state after the event in JSON as in Avro, its times as text", async () => {
    const { history, ask } = await serve();
    history.append("t1", bodies.erased());
    const { got } = messagesOf(await ask("?after=0"));
    await waitFor("six events", () => got.length === 7);
    const states = got.slice(1).map((one) => dataOf(one).data.state);
    expect(states.pop()).toBeNull();
    for (const [index, state] of states.entries()) {
      const carried = decodeTaskEvent(history.events[index]!.bytes).state as unknown as Record<
        string,
        unknown
      >;
      expect(Object.keys(state).sort()).toEqual(Object.keys(carried).sort());
      const { due_at, ...rest } = state;
      expect(due_at === null ? null : Date.parse(due_at)).toBe(carried.due_at);
      for (const name of ["submitted_at", "started_at", "finished_at"]) {
        if (rest[name] === null) continue;
        expect(rest[name]).toMatch(/^2\d{3}-.*Z$/);
        rest[name] = Date.parse(rest[name]);
      }
      expect({ ...rest, due_at: carried.due_at }).toEqual(carried);
    }
  });

  it("gives the event's very bytes with format=avro", async () => {
    const { history, ask } = await serve();
    const { got } = messagesOf(await ask("?after=0&format=avro"));
    await waitFor("five events", () => got.length === 6);
    const event = dataOf(got[1]!);
    expect(event).toMatchObject({ id: "e1", datacontenttype: "application/avro" });
    const bytes = Buffer.from(event.data_base64, "base64");
    expect(bytes.equals(history.events[0]!.bytes)).toBe(true);
    expect(decodeTaskEvent(bytes).id).toBe("e1");
  });

  it("gives only the transitions asked for, one or several", async () => {
    const { ask } = await serve();
    const one = messagesOf(await ask("?after=0&types=succeeded"));
    const several = messagesOf(await ask("?after=0&types=submitted,running"));
    const repeated = messagesOf(await ask("?after=0&types=submitted&types=succeeded"));
    await waitFor("the events", () => one.got.length + several.got.length + repeated.got.length === 8);
    expect(typesIn(one.got)).toEqual(["succeeded"]);
    expect(typesIn(several.got)).toEqual(["submitted", "running"]);
    expect(typesIn(repeated.got)).toEqual(["submitted", "succeeded"]);
  });

  it("goes on after Last-Event-ID, which wins over the query", async () => {
    const { ask } = await serve();
    const { got } = messagesOf(await ask("?after=0", { "last-event-id": "3-00000001" }));
    await waitFor("two events", () => got.length === 3);
    expect(got.map(({ id }) => id)).toEqual(["3-00000001", "4-00000001", "5-00000001"]);
  });

  it.each(["rubbish", "-1", "1e3", "30-zzzz", "1234567890123456", ""])(
    "refuses the Last-Event-ID '%s', that is no place, and does not go on at the end",
    async (id) => {
      const { ask } = await serve();
      const answer = await ask("?after=0", { "last-event-id": id });
      expect(answer.statusCode).toBe(400);
      let text = "";
      for await (const chunk of answer) text += chunk;
      expect(JSON.parse(text)).toMatchObject({
        code: "REQUEST_INVALID",
        detail: expect.stringContaining("must be the id of an event of this feed"),
        errors: [{ pointer: "/last-event-id" }],
      });
    },
  );

  it("tells with a gap what was pruned, an id beyond the end, and an id of another feed", async () => {
    const { feed, ask } = await serve();
    feed.control.pruned = 3;
    const gaps = [
      ["1-00000001", { reason: "pruned", from: 2, to: 3 }],
      ["99-00000001", { reason: "beyond", from: null, to: null }],
      ["4-0000000b", { reason: "other_life", from: null, to: null }],
    ] as const;
    for (const [id, gap] of gaps) {
      const { got } = messagesOf(await ask("", { "last-event-id": id }));
      await waitFor("the gap and two events", () => got.length === 4);
      expect(got[1]).toMatchObject({ event: "gap", id: "3-00000001" });
      expect(dataOf(got[1]!)).toEqual(gap);
      expect(typesIn(got)).toEqual(["running", "succeeded"]);
    }
  });

  it("refuses a type that is none and an id that is none", async () => {
    const { ask } = await serve();
    for (const query of ["?types=exploded", "?after=now", "?format=xml", "?type=failed"]) {
      const answer = await ask(query);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers["content-type"]).toContain("problem+json");
    }
    expect((await ask("", { authorization: "" })).statusCode).toBe(401);
  });

  it("ends when the server ends", async () => {
    const { fixture, ask } = await serve();
    const { got, ended } = messagesOf(await ask(""));
    await waitFor("the start", () => got.length === 1);
    fixture.stopping.abort();
    await waitFor("the end", ended);
  });

  it("is refused beyond the bound of open streams, and again free when one is closed", async () => {
    const { ask } = await serve();
    const answers: IncomingMessage[] = [];
    for (let index = 0; index < feedStreamsMax; index++) answers.push(await ask(""));
    const refused = await ask("");
    expect(refused.statusCode).toBe(503);
    expect(refused.headers["retry-after"]).toBeDefined();
    answers[0]!.destroy();
    await waitFor("a place", async () => {
      const answer = await ask("");
      answer.resume();
      return answer.statusCode === 200;
    });
  });

  it("fetches no more for a reader that does not read", async () => {
    const { history, feed, ask } = await serve();
    const large = "x".repeat(100_000);
    for (let index = 0; index < 200; index++)
      history.append(`big${index}`, bodies.submitted({ command: ["echo", large] }));
    const answer = await ask("?after=0");
    answer.pause();
    await waitFor("it to begin", () => feed.control.fetched > 10);
    // It stands still: what is on its way fits into the buffers of two sockets.
    let before = -1;
    await waitFor("it to stand still", async () => {
      const same = before === feed.control.fetched;
      before = feed.control.fetched;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return same && before === feed.control.fetched;
    });
    expect(feed.control.fetched).toBeLessThan(150);
    const { got } = messagesOf(answer);
    answer.resume();
    await waitFor("all of it", () => got.length === 206, { deadlineMs: 20_000 });
  });
});
