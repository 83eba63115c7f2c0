import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonicalJson.ts";
import { Rejection } from "./errors.ts";

/** RFC 8785, appendix B: the bits of a double and its text. */
const NUMBERS: readonly (readonly [string, string])[] = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

/** The test data that comes with the RFC (cyberphone/json-canonicalization): input and output. */
const DOCUMENTS: Readonly<Record<string, readonly [string, string]>> = {
  "section 3.2.2": [
    String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  ],
  "section 3.2.3": [
    String.raw`{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`,
    `{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}`,
  ],
  arrays: [`[56, {"d": true, "10": null, "1": [ ]}]`, `[56,{"1":[],"10":null,"d":true}]`],
  french: [
    `{"peach": "This sorting order", "péché": "is wrong according to French", "pêche": "but canonicalization MUST", "sin": "ignore locale"}`,
    `{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}`,
  ],
  structures: [
    String.raw`{"1": {"f": {"f": "hi","F": 5} ,"\n": 56.0}, "10": { }, "": "empty", "a": { }, "111": [ {"e": "yes","E": "no" } ], "A": { }}`,
    String.raw`{"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}`,
  ],
  "unnormalized unicode": [
    String.raw`{"Unnormalized Unicode":"A\u030a"}`,
    `{"Unnormalized Unicode":"A\u030a"}`,
  ],
  weird: [
    String.raw`{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\u000a": "Newline", "1": "One", "\u0080": "Control\u007f",
      "\ud83d\ude02": "Smiley", "\u00f6": "Latin Small Letter O With Diaeresis", "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "</script>": "Browser Challenge"}`,
    `{"\\n":"Newline","\\r":"Carriage Return","1":"One","</script>":"Browser Challenge","\u0080":"Control\u007f","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😂":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}`,
  ],
};

function double(bits: string): number {
  return Buffer.from(bits, "hex").readDoubleBE();
}

function refusal(value: unknown): unknown {
  try {
    canonicalJson(value);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("canonicalJson", () => {
  it.each(NUMBERS)("writes the double %s as %s", (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
  });

  it.each(Object.entries(DOCUMENTS))("writes the document of %s as the RFC does", (_, [input, output]) => {
    expect(canonicalJson(JSON.parse(input))).toBe(output);
  });

  it.each([
    ["NaN", double("7fffffffffffffff")],
    ["Infinity", double("7ff0000000000000")],
    ["-Infinity", [{ a: Number.NEGATIVE_INFINITY }]],
    ["a lone high surrogate", "\ud83d"],
    ["a lone low surrogate", ["\ude00x"]],
    ["a lone surrogate in a key", { "\udead": 1 }],
    ["undefined", { a: undefined }],
    ["a hole in an array", new Array(1)],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a date", new Date(0)],
    ["a map", new Map()],
  ])("refuses %s", (_, value) => {
    const error = refusal(value);
    expect(error).toBeInstanceOf(Rejection);
    expect((error as Rejection).code).toBe("JSON_NOT_CANONICAL");
  });

  it("keeps a member called __proto__", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}');
  });

  it("reads back as the same value, and is its own canonical form", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("does not depend on the order in which members were set", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), fc.nat(), (members, seed) => {
        const pairs = Object.entries(members);
        const turned =
          pairs.length === 0
            ? pairs
            : [...pairs.slice(seed % pairs.length), ...pairs.slice(0, seed % pairs.length)];
        expect(canonicalJson(Object.fromEntries(turned.reverse()))).toBe(canonicalJson(members));
      }),
    );
  });
});
