import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonFault } from "./jsonFault.ts";

describe("where a text stops being JSON", () => {
  it.each([
    ["", "it is empty"],
    ["nope", "a value is expected at line 1, column 1"],
    ['{"a":1,}', "a name in quotes is expected at line 1, column 8"],
    ["[1,\n 2 3]", "a comma or a closing bracket is expected at line 2, column 4"],
    ["[1}", "a comma or a closing bracket is expected at line 1, column 3"],
    ["{} {}", "nothing more is expected at line 1, column 4"],
    ["[1,2", "it ends where a comma or a closing bracket is expected"],
    ['{"a', "the string that begins at line 1, column 2 has no end"],
    ['"\\x"', "an escape is not one of JSON's at line 1, column 2"],
    ['"a\tb"', "a control character stands in a string at line 1, column 3"],
    ["01", "nothing more is expected at line 1, column 2"],
  ])("is said in words of our own: %j", (text, sentence) => {
    expect(jsonFault(text)).toBe(sentence);
  });

  it("is found in exactly the texts that the runtime refuses", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"\\u00e9"',
      "1",
      "-0.5e3",
      "01",
      "true",
      "nul",
      " ",
      "\n",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((all) => all.join("")),
          fc.json(),
        ),
        (text) => {
          let refused = false;
          try {
            JSON.parse(text);
          } catch {
            refused = true;
          }
          expect(jsonFault(text) !== null, text).toBe(refused);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("takes no stack, however deep the text is", () => {
    expect(jsonFault("[".repeat(1_000_000))).toBe("it ends where a value or ] is expected");
  });
});
