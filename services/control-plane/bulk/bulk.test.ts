import { describe, expect, it } from "vitest";
import { Retryable } from "../../kernel/errors.ts";
import type { SelectedTask } from "../reads/selectTasks.ts";
import { type ApiFixture, apiFixture, testTenant } from "../testing/apiFixture.ts";
import { createMemoryLedger } from "../testing/memoryLedger.ts";
import { selectionText } from "./selection.ts";

const position = "0".repeat(16);
const json = { "content-type": "application/json" };

/** An API whose read models select what a test puts there. */
async function withSelection(change: object = {}) {
  const selected: SelectedTask[] = [];
  const fixture: ApiFixture = await apiFixture({
    reads: {
      ...createReads(),
      previewSelection: async () => ({ seq: 7, count: selected.length, tasks: [] }),
      selectionPage: async (_tenant, { limit, cursor }) => {
        const from = Number(cursor ?? 0);
        const next = from + limit < selected.length ? String(from + limit) : null;
        return { data: selected.slice(from, from + limit), next_cursor: next };
      },
    },
    ...change,
  });
  const submit = async () => {
    const { json: made } = await fixture.ask("POST", "/v1/tasks", { headers: json, body: '{"image":"a"}' });
    return made.id as string;
  };
  const post = (path: string, body: object, key = "k1") =>
    fixture.ask("POST", path, {
      headers: { ...json, "idempotency-key": key },
      body: JSON.stringify(body),
    });
  const preview = async (action: "cancel" | "replay") =>
    (await post("/v1/tasks/bulk/preview", { action, filter: { name: "x" } })).json.selection as string;
  return { fixture, selected, submit, post, preview };
}

function createReads() {
  const none = async () => ({ data: [], next_cursor: null });
  return { findTask: async () => null, listTasks: none, listTaskEvents: none, listAttempts: none };
}

describe("a bulk replay", () => {
  it("makes each task once, whatever calls are repeated, and never replays what it made itself", async () => {
    const { fixture, selected, submit, post, preview } = await withSelection();
    for (let n = 0; n < 5; n++) selected.push({ id: await submit(), source: "submit" });
    const selection = await preview("replay");
    const first = await post("/v1/tasks/bulk", { selection, limit: 3 });
    expect(first.json.results.map((one: { outcome: string }) => one.outcome)).toEqual(
      Array(3).fill("replayed"),
    );
    const again = await post("/v1/tasks/bulk", { selection, limit: 3 });
    expect(again.json.results.map((one: { outcome: string }) => one.outcome)).toEqual(
      Array(3).fill("repeated"),
    );
    expect(again.json.results.map((one: { replay: string }) => one.replay)).toEqual(
      first.json.results.map((one: { replay: string }) => one.replay),
    );
    const { id, replay } = first.json.results[0];
    selected.push({ id: replay, source: `replay:${id}` });
    const rest = await post("/v1/tasks/bulk", { selection, limit: 9, cursor: first.json.next_cursor });
    expect([rest.json.results.length, rest.json.next_cursor]).toEqual([2, null]);
    const submits = fixture.ledger.events.filter((one) => one.body.type === "submitted");
    expect(submits).toHaveLength(10);
    const other = await post("/v1/tasks/bulk", { selection, limit: 1 }, "k2");
    expect(other.json.results[0].outcome).toBe("replayed");
  });

  it("says what stands against one task, and ends at what stands against all", async () => {
    const { selected, submit, post, preview } = await withSelection();
    selected.push({ id: await submit(), source: "submit" }, { id: "0".repeat(26), source: "submit" });
    const selection = await preview("replay");
    const { status, json: page } = await post("/v1/tasks/bulk", { selection });
    expect([status, page.results[1]]).toMatchObject([200, { outcome: "failed", code: "TASK_NOT_FOUND" }]);
    const ledger = createMemoryLedger();
    const down = await withSelection({
      ledger: {
        ...ledger,
        load: async () => {
          throw new Retryable("LEDGER_UNAVAILABLE", "gone");
        },
      },
    });
    down.selected.push({ id: "0".repeat(26), source: "submit" });
    const answer = await down.post("/v1/tasks/bulk", { selection: await down.preview("replay") });
    expect([answer.status, answer.json.code]).toEqual([503, "LEDGER_UNAVAILABLE"]);
  });
});

describe("a bulk cancel", () => {
  it("ends what waits, asks nodes for what runs, and lets be what is over; asked again it changes nothing", async () => {
    const { fixture, selected, submit, post, preview } = await withSelection();
    const ids = [await submit(), await submit(), await submit()];
    for (const id of ids) selected.push({ id, source: "submit" });
    await fixture.run(ids[1]!);
    const at = Date.now();
    const key = { tenant: testTenant, task: ids[2]! };
    await fixture.ledger.execute(key, { kind: "schedule", node: "n1", id: "s", at });
    const { state } = await fixture.ledger.load(key);
    const fence = (state as { fence: string }).fence;
    await fixture.ledger.execute(key, { kind: "grant", node: "n1", fence, attempt: 1, id: "g", at });
    const selection = await preview("cancel");
    const { json: page } = await post("/v1/tasks/bulk", { selection, reason: "wrong input" });
    expect(page.results.map((one: { outcome: string }) => one.outcome)).toEqual([
      "cancelled",
      "already_over",
      "cancel_requested",
    ]);
    expect(fixture.hints).toContain("n1");
    const before = fixture.ledger.events.length;
    await post("/v1/tasks/bulk", { selection });
    expect(fixture.ledger.events).toHaveLength(before);
  });
});

describe("a bulk action", () => {
  it.each([
    ["without any condition", "/v1/tasks/bulk/preview", { action: "cancel", filter: {} }, "REQUEST_INVALID"],
    [
      "of an unknown kind",
      "/v1/tasks/bulk/preview",
      { action: "erase", filter: { name: "x" } },
      "REQUEST_INVALID",
    ],
    ["on what nobody looked at", "/v1/tasks/bulk", { selection: "x.y" }, "SELECTION_INVALID"],
    [
      "on a look at another ledger",
      "/v1/tasks/bulk",
      {
        selection: selectionText({
          action: "cancel",
          filter: { name: "x" },
          position: `${position}.1`,
          count: 1,
        }),
      },
      "POSITION_OF_OTHER_EPOCH",
    ],
  ])("is refused %s", async (_what, path, body, code) => {
    const { post } = await withSelection();
    expect((await post(path, body)).json.code).toBe(code);
  });

  it("is refused where more match than anybody looks through", async () => {
    const { selected, post } = await withSelection();
    selected.push(...Array.from({ length: 10_001 }, () => ({ id: "x", source: "submit" })));
    const { json: problem } = await post("/v1/tasks/bulk/preview", {
      action: "cancel",
      filter: { name: "x" },
    });
    expect(problem.code).toBe("SELECTION_TOO_LARGE");
  });
});
