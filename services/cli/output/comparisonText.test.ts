import { describe, expect, it } from "vitest";
import type { Comparison } from "../../../schemas/api/comparison.ts";
import { comparisonText } from "./comparisonText.ts";

const ok = { status: "succeeded", exit_code: 0, signal: null, reason: "exit" } as const;
const stream = { same: true, bytes: { task: 3, with: 3 }, dropped_bytes: { task: 0, with: 0 } };
const same: Comparison = {
  task: "b",
  with: "a",
  same: true,
  same_spec: true,
  same_image: true,
  outcome: { same: true, task: ok, with: ok },
  stdout: { ...stream, first_difference: null },
  stderr: { ...stream, first_difference: null },
};

describe("a comparison for people", () => {
  it("says in a line each that nothing differs", () => {
    expect(comparisonText(same)).toBe(
      "same: b did what a did\n  outcome  same: succeeded, exit code 0\n" +
        "  stdout   same: 3 bytes\n  stderr   same: 3 bytes\n",
    );
  });

  it("shows a difference in text as a diff, and control characters as they are written", () => {
    const task = { text: "two\u001b[2J\n", hex: "", ended: true };
    const text = comparisonText({
      ...same,
      same: false,
      outcome: { same: false, task: { ...ok, status: "failed", exit_code: 3 }, with: ok },
      stdout: {
        ...stream,
        same: false,
        bytes: { task: 9, with: 5 },
        first_difference: {
          offset: 4,
          line: 2,
          excerpt_offset: 4,
          task,
          with: { text: "", hex: "", ended: true },
        },
      },
    });
    expect(text).toContain("outcome  different: failed, exit code 3, was succeeded, exit code 0");
    expect(text).toContain("stdout   different: 9 bytes, was 5");
    expect(text).toContain("first difference at byte 4, line 2\n    - (nothing)\n    + two\\u001b[2J\\n\n");
  });

  it("shows a difference in bytes that are no text as hex", () => {
    const side = (hex: string) => ({ text: null, hex, ended: false });
    const first_difference = {
      offset: 1,
      line: 1,
      excerpt_offset: 0,
      task: side("00ff"),
      with: side("00fe"),
    };
    const text = comparisonText({ ...same, stderr: { ...stream, same: false, first_difference } });
    expect(text).toContain("hex from byte 0\n    - 00 fe ...\n    + 00 ff ...\n");
  });
});
