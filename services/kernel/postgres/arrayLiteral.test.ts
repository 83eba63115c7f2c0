import { describe, expect, it } from "vitest";
import { arrayLiteral } from "./arrayLiteral.ts";

describe("an array literal", () => {
  it("writes numbers and booleans bare and text in quotes", () => {
    expect(arrayLiteral([1, -2.5, true, null])).toBe("{1,-2.5,true,NULL}");
    expect(arrayLiteral(["a", "", "NULL", "a,b", "{x}"])).toBe('{"a","","NULL","a,b","{x}"}');
  });

  it("escapes quotes and backslashes", () => {
    expect(arrayLiteral(['say "hi"', "C:\\new"])).toBe('{"say \\"hi\\"","C:\\\\new"}');
  });

  it("writes no items as an empty array", () => {
    expect(arrayLiteral([])).toBe("{}");
  });
});
