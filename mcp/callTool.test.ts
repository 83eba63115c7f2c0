import { describe, expect, it } from "vitest";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import { systemClock } from "../services/kernel/clock.ts";
import { callTool } from "./callTool.ts";
import { tools } from "./registry.ts";

async function wrong(name: string, input: unknown) {
  const result = await callTool(tools.find((one) => one.name === name)!, {
    connect: () => ({}) as ApiClient,
    input,
    call: { signal: new AbortController().signal, progress: null, traceparent: null, clock: systemClock },
  });
  if (!("failure" in result)) throw new Error("it was taken");
  return Object.fromEntries((result.failure.errors ?? []).map((one) => [one.pointer, one.message]));
}

describe("wrong arguments of a tool", () => {
  it("are told in the sentences in which the API tells wrong parameters", async () => {
    expect(
      await wrong("get_task_logs", { limit: 0, tail: "3", offset: -1, stream: "out", since: "x" }),
    ).toEqual({
      "/id": "is missing",
      "/limit": "must be at least 1",
      "/tail": "must be a number, not text",
      "/offset": "must be at least 0",
      "/stream": 'must be one of "stdout", "stderr"',
      "/since": expect.stringMatching(/^must be a time of RFC 3339/),
    });
    expect(await wrong("get_task", { id: 3 })).toEqual({ "/id": expect.stringMatching(/^must be text/) });
    expect(await wrong("get_task", null)).toEqual({ "/id": "is missing" });
    expect(await wrong("list_nodes", [])).toEqual({ "": expect.stringMatching(/^must be /) });
  });

  it.each(tools.map(({ name }) => [name]))(
    "of %s are never told in the library's own words",
    async (name) => {
      const shape = Object.keys(tools.find((one) => one.name === name)!.inputSchema.shape);
      for (const value of [null, [[]], { a: 1 }, -1.5, Number.MAX_VALUE, "", "\n".repeat(100_000)]) {
        const said = await wrong(
          name,
          Object.fromEntries([["no_such", 1], ...shape.map((one) => [one, value])]),
        );
        for (const [pointer, sentence] of Object.entries(said)) {
          expect(sentence, `${pointer} ${JSON.stringify(value)?.slice(0, 20)}`).not.toMatch(
            /^(Invalid|Too (small|big)|Unrecognized)|expected|received/,
          );
        }
      }
    },
  );
});
