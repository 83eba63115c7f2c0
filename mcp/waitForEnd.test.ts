import { describe, expect, it } from "vitest";
import type { Task } from "../schemas/api/task.ts";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import type { Call, Progress } from "./call.ts";
import { waitForEnd } from "./waitForEnd.ts";

/** A task that is pending, runs from the 3rd second, and is over at the 13th; asking with a wait takes that long. */
function world() {
  let nowMs = 0;
  const asked: number[] = [];
  const told: Progress[] = [];
  const client = {
    getTask: async (_id: string, { waitSeconds = 0 } = {}) => {
      asked.push(waitSeconds);
      nowMs += waitSeconds * 1000;
      const status = nowMs < 3_000 ? "pending" : nowMs < 13_000 ? "running" : "succeeded";
      const node = status === "pending" ? null : "n1";
      return {
        status,
        node,
        attempt: 1,
        pending_reason: node === null ? { message: "no slot is free" } : null,
      } as Task;
    },
  } as unknown as ApiClient;
  const call: Call = {
    signal: new AbortController().signal,
    progress: async (now) => void told.push(now),
    traceparent: null,
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
  };
  return { client, call, asked, told };
}

describe("waitForEnd", () => {
  it("tells the status at once, each change, and every five seconds that the wait goes on", async () => {
    const { client, call, told } = world();
    expect((await waitForEnd(client, { id: "t", seconds: 50 }, call)).status).toBe("succeeded");
    expect(told.map(({ progress, message }) => [progress, message])).toEqual([
      [0, "pending: no slot is free, waited 0 s"],
      [3, "running on n1, attempt 1, waited 3 s"],
      [8, "running on n1, attempt 1, waited 8 s"],
      [13, "succeeded on n1, attempt 1, waited 13 s"],
    ]);
    expect(told.every(({ total }) => total === 50)).toBe(true);
  });

  it("gives the task as it is when the time is up, with and without progress", async () => {
    const { client, call, asked } = world();
    expect((await waitForEnd(client, { id: "t", seconds: 5 }, call)).status).toBe("running");
    const quiet = world();
    await waitForEnd(quiet.client, { id: "t", seconds: 5 }, { ...quiet.call, progress: null });
    expect([asked, quiet.asked]).toEqual([[0, 1, 1, 1, 1, 1], [5]]);
  });
});
