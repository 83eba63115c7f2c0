import { describe, expect, it } from "vitest";
import { CHAIN_START, openLine, sealLine } from "./auditChain.ts";
import { compareRuns } from "./compareRuns.ts";
import { readAuditLog } from "./readAuditLog.ts";
import { summarize } from "./summarize.ts";

/** A log with these events, sealed as the writer seals it. */
function logOf(events: readonly string[]): string {
  let head = CHAIN_START;
  const lines: string[] = [];
  const add = (record: Record<string, string | number | object>) => {
    const sealed = sealLine(head, JSON.stringify({ ...record, seq: lines.length }));
    lines.push(sealed.line);
    head = sealed.hash;
  };
  add({ type: "run_start", run_id: "r" });
  for (const event of events) add({ type: "event", event: { event } });
  add({ type: "run_end", status: "ok", records: lines.length + 1, head });
  return `${lines.join("\n")}\n`;
}

describe("the chain", () => {
  it("hashes the previous hash and the line without its own, to the byte", () => {
    const first = sealLine(CHAIN_START, '{"type":"a"}');
    // printf '%064d{"type":"a"}' 0 | sha256sum
    expect(first.line).toBe(`{"type":"a","hash":"${first.hash}"}`);
    expect(first.hash).toBe("7377f8c61994cee83d608cf6904f11bd9ff6a83fc171d93209e76864cbcb295f");
    expect(openLine(first.line)).toEqual({ text: '{"type":"a"}', hash: first.hash });
  });

  it("opens a line whose text has line separators of Unicode", () => {
    const sealed = sealLine(CHAIN_START, JSON.stringify({ type: "\u2028\u2029" }));
    expect(openLine(sealed.line)?.hash).toBe(sealed.hash);
  });
});

describe("reading a log", () => {
  const log = logOf(["a", "b", "c"]);

  it("accepts what was written", () => {
    expect(readAuditLog(log)).toMatchObject({ state: "complete", tornLine: null });
  });

  it("notices every byte that is flipped, and names the line", () => {
    const bytes = Buffer.from(log, "utf8");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const reading = readAuditLog(changed.toString("utf8"));
      const line = bytes.subarray(0, at).filter((byte) => byte === 10).length + 1;
      if (reading.state === "refused") expect(reading.line).toBe(line);
      // Without its last line break the last record is torn.
      else expect([reading.state, reading.tornLine]).toEqual(["incomplete", 5]);
    }
  });

  it("refuses lines that are missing, swapped, doubled or from another run, by number", () => {
    const lines = log.trimEnd().split("\n");
    const refusedAt = (changed: readonly string[]) => {
      const reading = readAuditLog(`${changed.join("\n")}\n`);
      return reading.state === "refused" ? reading.line : null;
    };
    expect(refusedAt([lines[0]!, ...lines.slice(2)])).toBe(2);
    expect(refusedAt([lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)])).toBe(2);
    expect(refusedAt([...lines.slice(0, 2), ...lines.slice(1)])).toBe(3);
    expect(refusedAt([...lines, lines[0]!])).toBe(6);
    expect(refusedAt([...lines.slice(0, 2), ...logOf(["x", "y", "z"]).trimEnd().split("\n").slice(2)])).toBe(
      3,
    );
    expect(refusedAt([""])).toBe(1);
  });

  it("calls a log without its end incomplete", () => {
    const lines = log.trimEnd().split("\n");
    expect(readAuditLog(`${lines.slice(0, 3).join("\n")}\n`)).toMatchObject({
      state: "incomplete",
      tornLine: null,
    });
    expect(readAuditLog(`${lines.slice(0, 3).join("\n")}\n{"type":`)).toMatchObject({
      state: "incomplete",
      tornLine: 4,
    });
  });

  it("summarizes the same log to the same summary", () => {
    const once = readAuditLog(log);
    if (once.state === "refused") throw new Error(once.why);
    const about = { head: once.head, complete: true, tornLine: null };
    expect(summarize(once.records, about)).toEqual(summarize(once.records, about));
    expect(summarize(once.records, about)).toMatchObject({ events: 3, run_end_ok: 1, records: 5 });
    expect(compareRuns(once.records, once.records, { events: true }).same).toBe(true);
  });
});
