/** What a test run came to. */

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests?: number,
 *   testResults: readonly { status: string, assertionResults: readonly { status: string }[] }[] }} Report
 */

/**
 * @param {Report | null} report vitest's JSON report; null when it wrote none
 * @param {number} exitCode vitest's
 * @param {number} failedChecks
 * @returns {Counts}
 */
export function countsOf(report, exitCode, failedChecks) {
  if (report === null) return { passed: 0, failed: failedChecks + 1, skipped: 0 };
  // A file that cannot be loaded, or whose hooks fail, fails although no test of it does.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  // An error outside any test fails the run without failing a test.
  const unexplained = failed === 0 && exitCode !== 0 ? 1 : 0;
  return {
    passed: report.numPassedTests,
    failed: failed + unexplained + failedChecks,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/** @param {Counts} counts */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
