import { describe, expect, it } from "vitest";
import type { DeadLetter } from "../../kernel/deadLetters/deadLetter.ts";
import { apiFixture, testTenant } from "../testing/apiFixture.ts";
import { memoryDeadLetters } from "../testing/memoryDeadLetters.ts";

const sink = (seq: number, tenant: string): DeadLetter => ({
  seq,
  kind: "sink",
  at: 1_700_000_000_000,
  reason: "HTTP 503",
  tenant,
  task: "t1",
  sink: "0-webhook",
  node: null,
  resending: false,
  bytes: Buffer.from('{"tries":8}'),
});
const report: DeadLetter = {
  ...sink(3, ""),
  kind: "report",
  tenant: null,
  sink: null,
  node: "n1",
  bytes: Buffer.from([0xff]),
};

describe("dead letters over the API", () => {
  it("are those of the caller's tenant, page by page, and whole one by one", async () => {
    const dead = memoryDeadLetters(sink(1, testTenant), sink(2, "other"), report, sink(4, testTenant));
    const { ask, app } = await apiFixture({ dead });
    const first = await ask("GET", "/v1/dead-letters?limit=1");
    expect(first.json).toMatchObject({
      data: [{ id: "1", kind: "sink", task: "t1", sink: "0-webhook", reason: "HTTP 503", bytes: 11 }],
    });
    const { next_cursor } = first.json as { next_cursor: string };
    const rest = await ask("GET", `/v1/dead-letters?cursor=${next_cursor}`);
    const ids = (rest.json as { data: { id: string }[] }).data.map((one) => one.id);
    expect(ids.filter((id) => id !== "3")).toEqual(["4"]);
    expect((await ask("GET", "/v1/dead-letters/4")).json).toMatchObject({
      text: '{"tries":8}',
      base64: null,
    });
    for (const id of ["2", "9", "x"])
      expect((await ask("GET", `/v1/dead-letters/${id}`)).json).toMatchObject({
        code: "DEAD_LETTER_NOT_FOUND",
      });
    expect((await ask("GET", "/v1/dead-letters?cursor=x")).json).toMatchObject({ code: "CURSOR_INVALID" });
    await app.close();
  });

  it("are sent again once, and dropped for good", async () => {
    const dead = memoryDeadLetters(sink(1, testTenant), sink(2, testTenant));
    const { ask, app } = await apiFixture({ dead });
    const sent = await ask("POST", "/v1/dead-letters/1/resend");
    expect(sent.status).toBe(202);
    expect(sent.json).toMatchObject({ id: "1", resending: true });
    expect((await ask("POST", "/v1/dead-letters/1/resend")).status).toBe(404);
    expect((await ask("POST", "/v1/dead-letters/101/resend")).status).toBe(202);
    expect((await ask("DELETE", "/v1/dead-letters/2")).status).toBe(204);
    expect((await ask("DELETE", "/v1/dead-letters/2")).status).toBe(404);
    await app.close();
  });

  it("say so where they cannot be read", async () => {
    const dead = { ...memoryDeadLetters(), list: async () => Promise.reject(new Error("timeout")) };
    const { ask, app } = await apiFixture({ dead });
    expect((await ask("GET", "/v1/dead-letters")).json).toMatchObject({ code: "DEAD_LETTERS_UNAVAILABLE" });
    await app.close();
  });
});
