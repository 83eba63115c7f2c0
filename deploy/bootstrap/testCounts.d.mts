export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests?: number;
  testResults: readonly { status: string; assertionResults: readonly { status: string }[] }[];
}
export function countsOf(report: Report | null, exitCode: number, failedChecks: number): Counts;
export function summaryLine(counts: Counts): string;
