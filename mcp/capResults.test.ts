import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEntry } from "../schemas/api/logEntry.ts";
import type { TaskOutput } from "../schemas/api/taskOutput.ts";
import { capEntries, fittingText } from "./capEntries.ts";
import { capOutput } from "./capOutput.ts";
import { fittingPage } from "./fittingPage.ts";
import { resultCharsMax } from "./limits.ts";

const entry = (text: string, position = "1.0.0"): LogEntry => ({
  position,
  attempt: 1,
  stream: "stdout",
  time: "2026-01-01T00:00:00.000Z",
  type: "line",
  text,
  base64: "AAAA",
  ending: "newline",
  dropped_bytes: 0,
});

describe("a result that is too long", () => {
  it("keeps the beginning of a text, within the limit, without half of a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.integer({ min: 20, max: 400 }),
        (text, max) => {
          const cut = fittingText(text, max);
          expect(text.startsWith(cut)).toBe(true);
          expect(cut === text || JSON.stringify(cut).length <= max).toBe(true);
          expect(cut).not.toMatch(/[\ud800-\udbff]$/u);
        },
      ),
    );
  });

  it("keeps the first lines, or the last ones for a tail, and always one", () => {
    const entries = Array.from({ length: 100 }, (_, at) => entry("x".repeat(100), `1.${at}.0`));
    const first = capEntries(entries, { charsMax: 2_000, keep: "first" });
    expect(first.truncated).toBe(true);
    expect(first.data[0]?.position).toBe("1.0.0");
    expect(JSON.stringify(first.data).length).toBeLessThanOrEqual(2_001);
    const last = capEntries(entries, { charsMax: 2_000, keep: "last" });
    expect(last.data.at(-1)?.position).toBe("1.99.0");
    expect(last.data).toHaveLength(first.data.length);
    const long = capEntries([entry("y".repeat(100_000))], { charsMax: 2_000, keep: "first" });
    expect(long.data[0]).toMatchObject({ text_truncated: true });
    expect(capEntries([entry("a")], { charsMax: 2_000, keep: "first" })).toEqual({
      truncated: false,
      data: [expect.not.objectContaining({ base64: "AAAA" })],
    });
  });

  const output = (value: unknown, format: TaskOutput["format"]): TaskOutput => ({
    task: "t",
    status: "succeeded",
    attempt: 1,
    exit_code: 0,
    format,
    value,
    parse_error: null,
    text: null,
    bytes: 1,
    dropped_bytes: 0,
    truncated: false,
    complete: true,
  });

  it.each<[string, TaskOutput]>([
    ["text", output("é\n".repeat(20_000), "text")],
    ["a list of values", output(Array(5_000).fill({ n: 1 }), "ndjson")],
    ["one value", output({ deep: Array(5_000).fill("x") }, "json")],
  ])("gives what fits of %s, and says that it is not all", (_, whole) => {
    const capped = capOutput(whole, 10_000);
    expect(capped.truncated).toBe(true);
    expect(JSON.stringify(capped).length).toBeLessThanOrEqual(10_100);
    expect(capped.value ?? capped.text).toBeTruthy();
  });

  it("asks for a page again with fewer items, so that the cursor stands behind the last one", async () => {
    const asked: number[] = [];
    const page = await fittingPage(100, async (limit) => {
      asked.push(limit);
      return { data: Array<string>(limit).fill("x".repeat(1_000)), next_cursor: `after ${limit}` };
    });
    expect(asked).toEqual([100, 50, 25, 12]);
    expect(page).toMatchObject({ data: { length: 12 }, next_cursor: "after 12" });
    expect(JSON.stringify(page).length).toBeLessThanOrEqual(resultCharsMax);
  });
});
