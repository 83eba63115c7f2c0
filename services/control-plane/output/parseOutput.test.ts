import { describe, expect, it } from "vitest";
import { outputDepthMax, outputSampleBytesMax, outputTextBytesMax, outputValuesMax } from "../limits.ts";
import { parseOutput } from "./parseOutput.ts";

const parse = (format: "text" | "json" | "ndjson" | "markdown", text: string | Buffer, cut = false) =>
  parseOutput(format, Buffer.from(text as string), cut);

describe("parsing output", () => {
  it("takes text as it is, up to its cap", () => {
    expect(parse("text", "hi\n")).toEqual({ value: "hi\n", parse_error: null, text: null, truncated: false });
    expect(parse("text", "")).toMatchObject({ value: "", truncated: false });
    const long = parse("text", "x".repeat(outputTextBytesMax + 1));
    expect(long).toMatchObject({ truncated: true });
    expect((long.value as string).length).toBe(outputTextBytesMax);
    expect(parse("text", Buffer.from([0xff])).value).toBe("\ufffd");
  });

  it("takes JSON whole or says why not", () => {
    expect(parse("json", '\ufeff{"a":[1]}\n').value).toEqual({ a: [1] });
    expect(parse("json", "{")).toMatchObject({ value: null, parse_error: { line: null }, text: "{" });
    expect(parse("json", "")).toMatchObject({ value: null, parse_error: { line: null } });
    expect(parse("json", "[1,2", true)).toMatchObject({ value: null, truncated: true });
  });

  it("takes the lines of ndjson up to the first that is not JSON", () => {
    expect(parse("ndjson", '{"a":1}\n\n2\r\n"x"').value).toEqual([{ a: 1 }, 2, "x"]);
    expect(parse("ndjson", "").value).toEqual([]);
    expect(parse("ndjson", "1\nnope\n3\n")).toMatchObject({
      value: [1],
      parse_error: { line: 2 },
      text: "nope",
    });
    expect(parse("ndjson", "1\n2", true)).toMatchObject({ value: [1], parse_error: null, truncated: true });
    const many = parse("ndjson", "1\n".repeat(outputValuesMax + 1));
    expect(many).toMatchObject({ truncated: true });
    expect(many.value).toHaveLength(outputValuesMax);
  });

  it("holds each cap: all of it at the cap, and marked as cut one beyond it", () => {
    const text = (bytes: number) => parse("text", "x".repeat(bytes));
    expect(text(outputTextBytesMax)).toMatchObject({ truncated: false });
    expect(text(outputTextBytesMax + 1)).toMatchObject({ truncated: true });
    const values = (count: number) => parse("ndjson", "1\n".repeat(count));
    expect(values(outputValuesMax)).toMatchObject({ truncated: false, parse_error: null });
    expect(values(outputValuesMax + 1)).toMatchObject({ truncated: true, parse_error: null });
    const nested = (depth: number) => parse("json", "[".repeat(depth) + "]".repeat(depth));
    expect(nested(outputDepthMax).parse_error).toBeNull();
    expect(nested(outputDepthMax + 1).parse_error?.message).toContain("nested deeper");
    const sample = parse("json", "x".repeat(outputSampleBytesMax + 1));
    expect(sample.text).toHaveLength(outputSampleBytesMax);
  });

  it("cuts markdown and text between characters, and shows bytes that are none as such", () => {
    const value = parse("markdown", `${"x".repeat(outputTextBytesMax - 1)}\u00e9`).value as string;
    expect(value).toHaveLength(outputTextBytesMax - 1);
    expect(value.endsWith("x")).toBe(true);
    expect(parse("markdown", "# Done\n")).toMatchObject({ value: "# Done\n", parse_error: null });
    expect(parse("text", Buffer.from([0x61, 0xc3])).value).toBe("a\ufffd");
  });

  it("takes markdown that is UTF-8, and says which line is not", () => {
    expect(parse("markdown", "\ufeff# Fertig: größer\n")).toEqual({
      ...{ value: "# Fertig: größer\n", parse_error: null, text: null, truncated: false },
    });
    const latin1 = Buffer.from("# Fertig\n\ngr\u00f6\u00dfer\nend\n", "latin1");
    expect(parse("markdown", latin1)).toEqual({
      value: null,
      parse_error: { message: "line 3 is not UTF-8", line: 3 },
      text: "# Fertig\n\ngr\ufffd\ufffder\nend\n",
      truncated: false,
    });
    const half = Buffer.from("gr\u00f6").subarray(0, 3);
    expect(parse("markdown", half).parse_error).toMatchObject({ line: 1 });
    expect(parse("markdown", half, true)).toMatchObject({ value: "gr", parse_error: null, truncated: true });
  });

  it("says the same of the same bytes whatever reads them, in words that are not the runtime's", () => {
    expect(parse("json", '{"a":1,}').parse_error).toEqual({
      message: "a name in quotes is expected at line 1, column 8",
      line: null,
    });
    expect(parse("ndjson", '{"a":1}\n{"b"}\n').parse_error).toEqual({
      message: "a colon is expected at line 1, column 5",
      line: 2,
    });
  });

  it("refuses nesting that could not be written out again, and does not count brackets in strings", () => {
    const deep = "[".repeat(outputDepthMax + 1) + "]".repeat(outputDepthMax + 1);
    expect(parse("json", deep).parse_error?.message).toContain("nested deeper");
    expect(parse("json", "[".repeat(1_000_000)).parse_error).not.toBeNull();
    expect(parse("json", JSON.stringify({ a: `\\"${"[".repeat(500)}` })).parse_error).toBeNull();
  });
});
