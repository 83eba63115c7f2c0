import { describe, expect, it } from "vitest";
import type { Report } from "../../../schemas/messages/node.ts";
import { AgentLife } from "../agentLife.ts";
import { AttemptRecord } from "./attemptRecord.ts";
import { Reporter } from "./reporter.ts";

class SlowReports {
  readonly sent: Report[] = [];
  #settle: ((ok: boolean) => void)[] = [];

  publish(report: Report): Promise<void> {
    this.sent.push(report);
    return new Promise((resolve, reject) => {
      this.#settle.push((ok) => (ok ? resolve() : reject(new Error("not stored"))));
    });
  }

  answer(ok: boolean): void {
    this.#settle.shift()?.(ok);
  }
}

function reporting() {
  const record = new AttemptRecord({ tenant: "acme", task: "t", attempt: 1, fence: "1-t" });
  const reports = new SlowReports();
  const life = new AgentLife();
  const reporter = new Reporter({
    reports,
    revisionBase: 1_000,
    life,
    build: (revision) => record.toReport("n", revision),
    onStored: () => {},
    onFailure: () => {},
  });
  return { record, reports, reporter, life };
}

describe("the reports of one attempt", () => {
  it("have one in flight; what came meanwhile goes in one that replaces all that waited", async () => {
    const { record, reports, reporter } = reporting();
    const first = reporter.send();
    record.startedAt = 5;
    const second = reporter.send();
    record.startedAt = 6;
    const third = reporter.send();
    expect(reports.sent).toHaveLength(1);
    reports.answer(true);
    await first;
    await expect.poll(() => reports.sent.length).toBe(2);
    reports.answer(true);
    await Promise.all([second, third]);
    expect(reports.sent.map((report) => [report.revision, report.started_at])).toEqual([
      [1_001, null],
      [1_003, 6],
    ]);
  });

  it("are repeated until stored, with the facts of the repeat", async () => {
    const { record, reports, reporter } = reporting();
    const sent = reporter.send();
    record.startedAt = 7;
    reports.answer(false);
    await expect.poll(() => reports.sent.length).toBe(2);
    reports.answer(true);
    await sent;
    expect(reports.sent.map((report) => report.started_at)).toEqual([null, 7]);
  });

  it("end with the agent's life", async () => {
    const { reports, reporter, life } = reporting();
    const sent = expect(reporter.send()).rejects.toThrow(expect.objectContaining({ name: "Abandoned" }));
    life.end();
    reports.answer(false);
    await sent;
  });
});
