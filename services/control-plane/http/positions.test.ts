import { describe, expect, it } from "vitest";
import { type ApiFixture, apiFixture } from "../testing/apiFixture.ts";

const json = { "content-type": "application/json" };
const hello = JSON.stringify({ image: "cazi/toolbox:latest", command: ["echo", "hi"] });

async function submitted(fixture: ApiFixture): Promise<{ id: string; position: string; url: string }> {
  const answer = await fixture.ask("POST", "/v1/tasks", { headers: json, body: hello });
  const { id } = answer.json;
  return { id, position: String(answer.headers["cazi-position"]), url: `/v1/tasks/${id}` };
}

describe("ETag", () => {
  it("is strong, comes from the ledger's position, and If-None-Match with it is 304 with no body", async () => {
    const fixture = await apiFixture();
    const { url, position } = await submitted(fixture);
    const first = await fixture.ask("GET", url);
    const tag = String(first.headers.etag);
    expect(tag).toMatch(/^"[\x21-\x7e]+"$/);
    expect(tag).toContain(position);
    for (const header of [tag, `"other", ${tag}`, `W/${tag}`, "*"]) {
      const again = await fixture.ask("GET", url, { headers: { "if-none-match": header } });
      expect(again.status, header).toBe(304);
      expect(again.raw.length).toBe(0);
      expect(again.headers.etag).toBe(tag);
    }
    expect((await fixture.ask("GET", url, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it("is another one as soon as the task moves on, or what it shows beside its history", async () => {
    let why = "no node is registered";
    const fixture = await apiFixture({
      pendingReason: () => ({ message: why, nodes: [], more_nodes: 0, ahead: null }),
    });
    const { url, id } = await submitted(fixture);
    const tags = [(await fixture.ask("GET", url)).headers.etag];
    why = "every node is full";
    tags.push((await fixture.ask("GET", url)).headers.etag);
    await fixture.run(id);
    const ended = await fixture.ask("GET", url, { headers: { "if-none-match": tags.join(", ") } });
    expect(ended.status).toBe(200);
    tags.push(ended.headers.etag);
    expect(new Set(tags).size).toBe(3);
    const waited = await fixture.ask("GET", `${url}?wait=30`, {
      headers: { "if-none-match": String(tags[2]) },
    });
    expect(waited.status).toBe(304);
  });

  it("is on events and on the parsed output as well", async () => {
    const fixture = await apiFixture();
    const { url, id } = await submitted(fixture);
    await fixture.run(id);
    for (const path of ["/events", "/output"]) {
      const first = await fixture.ask("GET", url + path);
      const headers = { "if-none-match": String(first.headers.etag) };
      expect((await fixture.ask("GET", url + path, { headers })).status, path).toBe(304);
    }
  });
});

describe("If-Match on cancel", () => {
  it("cancels the version that was read, and is 412 PRECONDITION_FAILED when the task has moved on", async () => {
    const fixture = await apiFixture();
    const { url, id } = await submitted(fixture);
    const seen = String((await fixture.ask("GET", url)).headers.etag);
    await fixture.ledger.execute(
      { tenant: "acme", task: id },
      { kind: "schedule", node: "n1", id: "s", at: 1 },
    );
    const late = await fixture.ask("POST", `${url}/cancel`, { headers: { "if-match": seen } });
    expect(late.json).toMatchObject({ status: 412, code: "PRECONDITION_FAILED" });
    expect(fixture.ledger.events).toHaveLength(2);
    const now = String((await fixture.ask("GET", url)).headers.etag);
    const done = await fixture.ask("POST", `${url}/cancel`, { headers: { "if-match": now } });
    expect(done.json).toMatchObject({ status: "cancelled" });
    expect(done.headers["cazi-position"]).toBeDefined();
  });

  it("takes * for any version, and what names none for another one", async () => {
    const fixture = await apiFixture();
    const { url } = await submitted(fixture);
    const weak = `W/${(await fixture.ask("GET", url)).headers.etag}`;
    for (const header of ['"x"', "nonsense", "", weak, '"0000000000000000.1-x"']) {
      const answer = await fixture.ask("POST", `${url}/cancel`, { headers: { "if-match": header } });
      expect(answer.json.code, header).toBe("PRECONDITION_FAILED");
    }
    expect((await fixture.ask("POST", `${url}/cancel`, { headers: { "if-match": "*" } })).status).toBe(202);
  });
});

describe("min_seq", () => {
  it("takes the position that creating and changing answers carry, on every read", async () => {
    const asked: number[] = [];
    const checkpoints = {
      trouble: () => null,
      reached: async (seq: number) => asked.push(seq) > 0,
      stop: () => undefined,
    };
    const fixture = await apiFixture({ checkpoints });
    const { url, id, position } = await submitted(fixture);
    await fixture.run(id);
    const replayed = await fixture.ask("POST", `${url}/replay`);
    const cancelled = await fixture.ask("POST", `/v1/tasks/${replayed.json.id}/cancel`);
    for (const [given, seq] of [
      [position, 1],
      [replayed.headers["cazi-position"], 6],
      [cancelled.headers["cazi-position"], 7],
    ] as const) {
      for (const path of ["/v1/tasks", url, `${url}/events`]) {
        asked.length = 0;
        expect((await fixture.ask("GET", `${path}?min_seq=${given}`)).status, path).toBe(200);
        expect(asked).toEqual([seq]);
      }
    }
  });

  it("that is not reached within the wait is 503 NOT_REACHED_YET, and so is one that the server's end cuts short", async () => {
    let reached: (value: boolean) => void = () => undefined;
    const checkpoints = {
      trouble: () => null,
      reached: () =>
        new Promise<boolean>((resolve) => {
          reached = resolve;
        }),
      stop: () => undefined,
    };
    const fixture = await apiFixture({ checkpoints });
    const { position } = await submitted(fixture);
    const late = fixture.ask("GET", `/v1/tasks?min_seq=${position}`);
    setTimeout(() => reached(false), 10);
    const answer = await late;
    expect(answer.json).toMatchObject({ status: 503, code: "NOT_REACHED_YET" });
    expect(answer.json.hint).toContain("/readyz");
    expect(answer.headers["retry-after"]).toBeDefined();
    const waiting = fixture.ask("GET", `/v1/tasks?min_seq=${position}`);
    fixture.stopping.abort();
    expect((await waiting).json.code).toBe("NOT_REACHED_YET");
  });

  it("of another ledger is 409 POSITION_OF_OTHER_EPOCH, and what is no position 400 POSITION_INVALID", async () => {
    const here = await apiFixture();
    const there = await apiFixture({ epoch: "2026-02-02T00:00:00Z" });
    const { position } = await submitted(there);
    expect((await here.ask("GET", `/v1/tasks?min_seq=${position}`)).json).toMatchObject({
      status: 409,
      code: "POSITION_OF_OTHER_EPOCH",
    });
    for (const bad of ["7", "", "x.1", `${position}0000000000000000`, "0000000000000000.-1", "%0d%0a"]) {
      const answer = await here.ask("GET", `/v1/tasks?min_seq=${bad}`);
      expect(answer.json, bad).toMatchObject({ status: 400, code: "POSITION_INVALID" });
    }
  });
});
