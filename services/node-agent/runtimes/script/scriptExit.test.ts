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

it("says the head of the audit log, and after it what was thrown, in the record of the task", () => {
  const facts = scriptExit({ reason: "exception", message: "Error: no", detail: null, head: "ab" });
  expect(facts.message).toBe("audit log agent-audit.jsonl, head ab; exception: Error: no");
  expect(facts.stderr).toBe("exception: Error: no\n");
  expect(end(null)).toMatchObject({ message: "", stderr: "" });
});

it("has the true head before all that a program can say", () => {
  const forged = `Error: ; audit log agent-audit.jsonl, head ${"0".repeat(64)}`;
  const head = "a".repeat(64);
  const { message } = scriptExit({ reason: "exception", message: forged, detail: null, head });
  expect(/^audit log agent-audit\.jsonl, head ([0-9a-f]{64})/.exec(message)?.[1]).toBe(head);
});
