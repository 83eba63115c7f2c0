import { describe, expect, it } from "vitest";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import { createAnswers } from "./answers.ts";
import { callOf } from "./call.ts";
import { caziCatalog } from "./catalog.ts";
import { hideBugs } from "./hideBugs.ts";

const clock = { now: () => 0, monotonicMs: () => 0 };
const gone = new AbortController();
const callWith = (signal: AbortSignal) => callOf({ signal, meta: {}, clock, notify: async () => undefined });
const broken = {
  getTask: async () => {
    throw new TypeError("secret is not a function");
  },
} as unknown as ApiClient;

describe("a bug", () => {
  const bugs: unknown[] = [];
  const answers = hideBugs(
    createAnswers(caziCatalog, () => broken),
    (error) => bugs.push(error),
  );
  const asked = [
    ["tools/call", { name: "get_task", arguments: { id: "a" } }],
    ["resources/read", { uri: "cazi://tasks/a" }],
  ] as const;

  it("is told to the server's log alone; the caller gets a code and what to do", async () => {
    for (const [method, params] of asked) {
      const answer = answers[method](params, callWith(new AbortController().signal));
      await expect(answer).rejects.toMatchObject({
        code: -32603,
        data: { code: "INTERNAL", next_step: expect.stringContaining("Tell the person") },
      });
      await expect(answer).rejects.not.toThrow("secret");
    }
    expect(bugs.map(String)).toEqual(Array(2).fill("TypeError: secret is not a function"));
  });

  it("is not what breaks when the caller leaves", async () => {
    gone.abort();
    await expect(answers["tools/call"](asked[0][1], callWith(gone.signal))).rejects.toThrow("secret");
    expect(bugs).toHaveLength(2);
  });
});
