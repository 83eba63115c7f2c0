import { describe, expect, it } from "vitest";
import type { AuditRecord } from "./readAuditLog.ts";
import { renderPage } from "./renderPage.ts";
import { summarize } from "./summarize.ts";

const records = [
  { type: "run_start", seq: 0, t_ms: 0, run_id: "<r>", agent: "a.js", budgets: { max_events: 10 } },
  { type: "event", seq: 1, t_ms: 5, event: { x: "</td><script>alert('1')</script>" } },
  { type: "tool_denial", seq: 2, t_ms: 6, tool: "readFile" },
  { type: "run_end", seq: 3, t_ms: 7, status: "ok", used: { events: 4 } },
] as unknown as AuditRecord[];
const page = renderPage(records, summarize(records, { head: "h", complete: true, tornLine: null }));

describe("the page of a run", () => {
  it("shows what the log says and runs nothing of it", () => {
    expect(page).not.toMatch(/<script|<r>/);
    expect(page).toContain("&#60;script&#62;");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/src=|href=|url\(/);
  });

  it("marks denials and measures budgets", () => {
    expect(page).toContain('class="bad">tool_denial');
    expect(page).toContain("4 of 10");
  });
});
