import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiFixture, apiFixture } from "../testing/apiFixture.ts";

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.app.close());

const json = { "content-type": "application/json" };
async function submit(spec: object = {}): Promise<string> {
  const body = JSON.stringify({ image: "a", ...spec });
  const { status, json: made } = await api.ask("POST", "/v1/tasks", { headers: json, body });
  expect(status, JSON.stringify(made)).toBe(202);
  return made.id as string;
}

describe("erasing a task before its time", () => {
  it("is refused while it is not over, and says to cancel it first", async () => {
    const id = await submit();
    const { status, json: problem } = await api.ask("DELETE", `/v1/tasks/${id}`);
    expect([status, problem.code, problem.hint]).toEqual([
      409,
      "TASK_NOT_ENDED",
      "Cancel it, wait for its end, and ask again.",
    ]);
    expect((await api.ask("GET", `/v1/tasks/${id}`)).json.status).toBe("pending");
  });

  it("leaves a tombstone that says who asked, gives up its sinks, and is 410 from then on", async () => {
    const id = await submit({ output_sinks: [{ type: "webhook", url: "https://93.184.216.34/hook" }] });
    await api.run(id);
    const { status, json: erased, headers } = await api.ask("DELETE", `/v1/tasks/${id}`);
    expect([status, erased]).toEqual([202, { id, sinks_given_up: 1 }]);
    expect(headers["cazi-position"]).toBeDefined();
    const tombstone = api.ledger.events.at(-1)!;
    expect(tombstone.body).toEqual({ type: "erased" });
    expect(tombstone.by).toMatchObject({ actor: "user:admin", route: "rest" });
    for (const method of ["DELETE", "GET"] as const) {
      const again = await api.ask(method, `/v1/tasks/${id}`);
      expect([again.status, again.json.code]).toEqual([410, "TASK_ERASED"]);
    }
    expect(api.ledger.events.at(-1)).toBe(tombstone);
  });

  it("is 404 for what was never there, and 412 where the task has moved on", async () => {
    const never = await api.ask("DELETE", `/v1/tasks/${"0".repeat(26)}`);
    expect([never.status, never.json.code]).toEqual([404, "TASK_NOT_FOUND"]);
    const id = await submit();
    const { headers } = await api.ask("GET", `/v1/tasks/${id}`);
    await api.run(id);
    const moved = await api.ask("DELETE", `/v1/tasks/${id}`, {
      headers: { "if-match": String(headers.etag) },
    });
    expect([moved.status, moved.json.code]).toEqual([412, "PRECONDITION_FAILED"]);
  });
});
