import { expect, it } from "vitest";
import { countsOf, type Report, summaryLine } from "./testCounts.mjs";

const report = (more: Partial<Report> = {}): Report => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  testResults: [],
  ...more,
});

it("counts passed, failed and skipped tests", () => {
  const counts = countsOf(report({ numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }), 1, 0);
  expect(summaryLine(counts)).toBe("3 passed, 1 failed, 3 skipped");
  expect(summaryLine(countsOf(report(), 0, 0))).toBe("3 passed, 0 failed");
});

it("counts a failed check, a file that cannot be loaded, and an error outside any test", () => {
  const broken = { status: "failed", assertionResults: [] };
  expect(countsOf(report(), 0, 2).failed).toBe(2);
  expect(countsOf(report({ testResults: [broken] }), 1, 0).failed).toBe(1);
  expect(countsOf(report(), 1, 0).failed).toBe(1);
});

it("counts a run without a report as a failure", () => {
  expect(countsOf(null, 0, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
