import avro from "avsc";
import { describe, expect, it } from "vitest";
import { bodies, ledgerHistory } from "../../../test/support/ledgerHistory.ts";
import { taskEventTypes } from "../../domain/task/taskEvent.ts";
import { apiFixture } from "../testing/apiFixture.ts";

describe("the schemas of events", () => {
  it("are listed with fingerprint, name and transition, one current schema for each transition", async () => {
    const { ask } = await apiFixture();
    const { json } = await ask("GET", "/v1/schemas", { headers: { authorization: "" } });
    const current = json.data.filter((one: { current: boolean }) => one.current);
    expect(current.map((one: { transition: string }) => one.transition)).toEqual([...taskEventTypes]);
    expect(json.data[0]).toMatchObject({ name: "cazi.task.v1.Submitted", transition: "submitted" });
    expect(json.next_cursor).toBeNull();
  });

  it("decode an event by the fingerprint in its head", async () => {
    const { ask } = await apiFixture();
    const { bytes } = ledgerHistory("acme").append("t1", bodies.submitted()).events[0]!;
    const fingerprint = Buffer.from(bytes.subarray(2, 10)).reverse().toString("hex");
    const { json } = await ask("GET", `/v1/schemas/${fingerprint}`);
    const type = avro.Type.forSchema(json, { wrapUnions: false } as object);
    expect(type.fromBuffer(Buffer.from(bytes.subarray(10)))).toMatchObject({ event_id: "e1", task: "t1" });
  });

  it("may be kept for ever, by whoever asks without a token", async () => {
    const { ask } = await apiFixture();
    const listed = (await ask("GET", "/v1/schemas")).json.data[0];
    const path = `/v1/schemas/${listed.fingerprint}`;
    const answer = await ask("GET", path, { headers: { authorization: "" } });
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.etag).toBe(`"${listed.sha256}"`);
    const again = await ask("GET", path, { headers: { "if-none-match": `"${listed.sha256}"` } });
    expect(again).toMatchObject({ status: 304, raw: Buffer.alloc(0) });
  });

  it("that never were are not found, with a hint", async () => {
    const { ask } = await apiFixture();
    for (const fingerprint of ["0000000000000000", "xyz", "ABCDEF0123456789"]) {
      const { status, json } = await ask("GET", `/v1/schemas/${fingerprint}`);
      expect(status).toBe(404);
      expect(json).toMatchObject({ code: "SCHEMA_NOT_FOUND", hint: expect.stringContaining("/v1/schemas") });
    }
  });
});
