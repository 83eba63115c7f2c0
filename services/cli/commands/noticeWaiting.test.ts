import { expect, it } from "vitest";
import { waitsFor } from "./noticeWaiting.ts";

const task = {
  status: "pending",
  pending_reason: null,
  pull: null,
  attempt: 0,
  reason: null,
  not_before: null,
};

it("says why a task waits: for a node, or for its next attempt", () => {
  expect(waitsFor(task as never)).toBeNull();
  const reason = { ...task, pending_reason: { message: "no slot is free" } };
  expect(waitsFor(reason as never)).toBe("pending: no slot is free");
  const again = { ...reason, attempt: 2, reason: "exit", not_before: "2026-11-30T12:00:00.000Z" };
  expect(waitsFor(again as never)).toBe(
    "pending: attempt 2 ended (exit), the next one starts at 2026-11-30T12:00:00.000Z or later",
  );
});
