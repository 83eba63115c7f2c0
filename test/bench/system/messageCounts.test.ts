import { expect, it } from "vitest";
import { messagesPerTask, totalOf } from "./messageCounts.ts";

it("counts what streams took for a task, and leaves out the buckets, which write by time", () => {
  const before = { stored: { LEDGER_0: 10, KV_leases: 5 }, delivered: { LEDGER_0: 10 } };
  const after = { stored: { LEDGER_0: 60, LOGS: 10, KV_leases: 9 }, delivered: { LEDGER_0: 60 } };
  const { stored, delivered } = messagesPerTask(before, after, 10);
  expect(stored).toEqual({ LEDGER_0: 5, LOGS: 1, KV_leases: 0.4 });
  expect(totalOf(stored)).toBe(6);
  expect(totalOf(delivered)).toBe(5);
});
