import { describe, expect, it } from "vitest";
import { readSelection, selectionText } from "./selection.ts";

const selection = {
  action: "replay",
  filter: { status: ["failed" as const], submitted_after: "2026-11-29T12:00:00Z" },
  position: "0123456789abcdef.42",
  count: 7,
} as const;

describe("the selection of a preview", () => {
  it("comes back as it was given", () => {
    expect(readSelection(selectionText(selection as never))).toEqual(selection);
  });

  it.each([
    ["nothing", ""],
    ["a text of one's own", "e30.0000000000000000"],
    ["a cut one", selectionText(selection as never).slice(2)],
    ["one with another hash", `${selectionText(selection as never).slice(0, -1)}x`],
  ])("is refused where it is %s", (_what, text) => {
    expect(() => readSelection(text)).toThrow(expect.objectContaining({ code: "SELECTION_INVALID" }));
  });
});
