import { describe, expect, it } from "vitest";
import type { ApiClient, ListOptions } from "../../services/kernel/client/apiClient.ts";
import { createAnswers } from "../answers.ts";
import { callOf } from "../call.ts";
import { caziCatalog } from "../catalog.ts";

const all = Array.from({ length: 120 }, (_, index) => ({
  id: `task${index}`,
  name: null,
  status: "succeeded",
  reason: null,
  submitted_at: "2026-01-01T00:00:00.000Z",
}));
const client = {
  listTasks: async ({ limit = 0, cursor = "0" }: ListOptions = {}) => {
    const end = Number(cursor) + limit;
    return { data: all.slice(Number(cursor), end), next_cursor: end < all.length ? String(end) : null };
  },
} as unknown as ApiClient;
const clock = { now: () => 0, monotonicMs: () => 0 };
const call = callOf({ signal: new AbortController().signal, meta: {}, clock, notify: async () => undefined });
const answers = createAnswers(caziCatalog, () => client);

describe("the list of resources", () => {
  it("comes in bounded pages, the lasting ones on the first, and ends", async () => {
    const sizes: number[] = [];
    const uris = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = (await answers["resources/list"]({ cursor }, call)) as {
        resources: { uri: string }[];
        nextCursor?: string;
      };
      sizes.push(page.resources.length);
      for (const { uri } of page.resources) uris.add(uri);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(sizes).toEqual([52, 50, 20]);
    expect(uris.size).toBe(122);
  });
});

describe("completion of a task's id", () => {
  it("gives at most a hundred, says how many there are, and looks further than one page", async () => {
    const ask = async (value: string) =>
      answers["completion/complete"](
        { ref: { type: "ref/resource", uri: "cazi://tasks/{id}" }, argument: { name: "id", value } },
        call,
      ) as Promise<{ completion: { values: string[]; total: number; hasMore: boolean } }>;
    const { completion } = await ask("task");
    expect([completion.values.length, completion.total, completion.hasMore]).toEqual([100, 120, true]);
    expect((await ask("task11")).completion.values).toEqual([
      "task11",
      ...Array.from({ length: 10 }, (_, index) => `task11${index}`),
    ]);
  });
});
