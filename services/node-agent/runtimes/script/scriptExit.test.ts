import { expect, it } from "vitest";
import { scriptExit } from "./scriptExit.ts";

const end = (reason: string | null) => scriptExit({ reason, message: null, detail: null, head: null });

it.each([
  [null, { exitCode: 0 }],
  ["exception", { exitCode: 1 }],
  ["timeout", { exitCode: 143, timedOut: true }],
  ["memory_heap_exceeded", { exitCode: 137, oomKilled: true }],
  ["memory_rss_exceeded", { exitCode: 137, oomKilled: true }],
  ["stopped", { exitCode: 143 }],
  ["refused", { exitCode: 65 }],
  ["step_budget_exceeded", { exitCode: 70 }],
  ["microtask_budget_exceeded", { exitCode: 70 }],
  ["audit_log_bytes", { exitCode: 70 }],
  ["engine_fault", { exitCode: 70 }],
  ["a reason of a later version", { exitCode: 70 }],
])("a run that ends with %s is an attempt that ends so", (reason, facts) => {
  expect(end(reason)).toMatchObject({ oomKilled: false, ...facts });
});

it("says what was thrown, and the head of the audit log, in the record of the task", () => {
  const facts = scriptExit({ reason: "exception", message: "Error: no", detail: null, head: "ab" });
  expect(facts.message).toBe("exception: Error: no; audit log agent-audit.jsonl, head ab");
  expect(facts.stderr).toBe("exception: Error: no\n");
  expect(end(null)).toMatchObject({ message: "", stderr: "" });
});
