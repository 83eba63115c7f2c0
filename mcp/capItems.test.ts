import { describe, expect, it } from "vitest";
import type { Task } from "../schemas/api/task.ts";
import { capEvent, capLabels } from "./capItems.ts";
import { resultCharsMax } from "./limits.ts";
import { fittingTask, withoutSpec } from "./taskResult.ts";

/** As many and as long as a spec may have. */
const labels = Object.fromEntries(
  Array.from({ length: 64 }, (_, index) => [`${"l".repeat(60)}${index}`, '"'.repeat(256)]),
);
const long = { labels, command: ["x".repeat(200_000)] };
const task = { id: "t", labels, spec: long, attempts: [], artifacts: [] } as unknown as Task;

describe("an item that is longer than a result", () => {
  it("loses the labels that do not fit, and says so", () => {
    const { value, truncated } = capLabels(task);
    expect(truncated).toBe(true);
    expect(Object.keys(value.labels).length).toBeGreaterThan(5);
    expect(capLabels({ labels: { a: "b" } })).toEqual({ value: { labels: { a: "b" } }, truncated: false });
  });

  it("is a task that fits, with or without its spec", () => {
    for (const shown of [withoutSpec(task), fittingTask(task)]) {
      expect(shown.truncated).toBe(true);
      expect(JSON.stringify(shown).length).toBeLessThan(resultCharsMax / 2);
    }
    const small = { ...task, labels: {}, spec: { image: "a" } } as unknown as Task;
    expect(fittingTask(small)).toMatchObject({ spec: { image: "a" }, truncated: false });
  });

  it("is a first event without its spec, where that is long", () => {
    const event = { id: "e", data: { spec: task.spec, request_hash: "h" } } as unknown as Parameters<
      typeof capEvent
    >[0];
    expect(capEvent(event)).toEqual({ value: { id: "e", data: { request_hash: "h" } }, truncated: true });
  });
});
