import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { isRefusal, type Refusal } from "../refusal.ts";
import { specBytesMax, specDepthMax, yamlLexemesMax } from "./limits.ts";
import { parseSpecText } from "./parseSpecText.ts";

function refusalOf(text: string, format: "yaml" | "json" | "auto" = "auto"): Refusal {
  const value = parseSpecText(text, format);
  if (!isRefusal(value)) throw new Error(`was read as ${JSON.stringify(value)}`);
  return value;
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("parseSpecText", () => {
  it("reads the same spec from YAML and from JSON", () => {
    const yaml =
      'image: alpine:latest\ncommand: [sh, -c, "echo hi"]\nread_only: true\nresources:\n  cpus: 0.5\n  memory: 1g\n';
    const json =
      '{"image":"alpine:latest","command":["sh","-c","echo hi"],"read_only":true,"resources":{"cpus":0.5,"memory":"1g"}}';
    const expected = JSON.parse(json);
    expect(parseSpecText(yaml, "yaml")).toEqual(expected);
    expect(parseSpecText(yaml, "auto")).toEqual(expected);
    expect(parseSpecText(json, "json")).toEqual(expected);
    expect(parseSpecText(json, "auto")).toEqual(expected);
    expect(parseSpecText(json, "yaml")).toEqual(expected);
    expect(parseSpecText(`\ufeff${json}`, "auto")).toEqual(expected);
  });

  it("reads a flow map of YAML that is no JSON when the format is open", () => {
    expect(parseSpecText("{image: alpine, tags: [a, b],}", "auto")).toEqual({
      image: "alpine",
      tags: ["a", "b"],
    });
  });

  it("reads an empty text as null", () => {
    expect(parseSpecText("", "yaml")).toBeNull();
    expect(parseSpecText("# only a comment\n", "auto")).toBeNull();
  });

  it("keeps words of older YAML as text", () => {
    expect(parseSpecText("a: yes\nb: off\nc: 12:30\nd: 2026-01-01\ne: 1_000\nf: ~\n", "yaml")).toEqual({
      a: "yes",
      b: "off",
      c: "12:30",
      d: "2026-01-01",
      e: "1_000",
      f: null,
    });
  });

  describe("size", () => {
    it.each(["yaml", "json", "auto"] as const)(
      "refuses 2 MB of brackets as %s by their size alone",
      (format) => {
        const refusal = refusalOf("[".repeat(2_000_000), format);
        expect(refusal.code).toBe("SPEC_TOO_LARGE");
        expect(refusal.message).toContain(String(specBytesMax));
        expect(refusal.message).toContain("2000000");
      },
    );

    it("counts bytes, not characters", () => {
      expect(refusalOf(`{"rationale":"${"€".repeat(specBytesMax / 3)}"}`).code).toBe("SPEC_TOO_LARGE");
    });

    it("refuses a spec of 300 KiB", () => {
      expect(refusalOf(`{"rationale":"${"x".repeat(300 * 1024)}"}`).code).toBe("SPEC_TOO_LARGE");
    });

    it("reads a text of exactly the limit", () => {
      const text = `{"a":"${"x".repeat(specBytesMax - 8)}"}`;
      expect(parseSpecText(text, "json")).toEqual({ a: "x".repeat(specBytesMax - 8) });
    });

    it("refuses YAML of too many tokens before it parses them", () => {
      expect(refusalOf(`a: [${"x,".repeat(yamlLexemesMax)}]`, "yaml").code).toBe("SPEC_TOO_LARGE");
    });
  });

  describe("depth", () => {
    it.each(["yaml", "json"] as const)("reads %s of the greatest depth and refuses one more", (format) => {
      expect(parseSpecText(nested(specDepthMax), format)).toEqual(JSON.parse(nested(specDepthMax)));
      expect(refusalOf(nested(specDepthMax + 1), format).code).toBe("SPEC_TOO_DEEP");
    });

    it.each([
      ["open brackets", "[".repeat(5000)],
      ["open braces", "{a: ".repeat(5000)],
      ["lists in a line", `${"- ".repeat(5000)}a`],
      ["lists parted by tabs", `${"-\t".repeat(5000)}a`],
      ["keys in a line", `${"? ".repeat(5000)}a`],
      ["values in a line", `${": ".repeat(5000)}a`],
      ["flow pairs", `${"[a: ".repeat(3000)}1`],
      ["indented maps", Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
      ["indented lists", Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth)}-`).join("\n")],
      [
        "lists at their key's indent",
        Array.from({ length: 250 }, (_, depth) => `${"  ".repeat(depth)}- a:`).join("\n"),
      ],
    ])("refuses %s without recursing into them", (_, text) => {
      expect(refusalOf(text, "yaml").code).toBe("SPEC_TOO_DEEP");
    });

    it("refuses or reads any soup of indicators, and never runs out of stack", () => {
      const soup = fc.array(
        fc.constantFrom(
          "- ",
          "-\t",
          "? ",
          ": ",
          "a",
          "a: ",
          "\n",
          " ",
          "\t",
          "[",
          "]",
          "{",
          "}",
          ",",
          "'x'",
          '"y"',
          "|\n",
          ">\n",
          "#c\n",
          "&n ",
          "*n",
          "!t ",
          "---\n",
          "%x\n",
          "\r\n",
          "\ufeff",
        ),
        { maxLength: 400 },
      );
      fc.assert(
        fc.property(soup, fc.integer({ min: 1, max: 20 }), (parts, times) => {
          const value = parseSpecText(parts.join("").repeat(times), "yaml");
          if (isRefusal(value)) expect(value.code).toMatch(/^SPEC_/);
        }),
        { numRuns: 300 },
      );
    });
  });

  describe("what two readers could understand differently", () => {
    it.each([
      ["json", '{"image":"a","image":"b"}', "/image"],
      ["json", '{"image":"a","\\u0069mage":"b"}', "/image"],
      ["json", '{"resources":{"cpus":1,"cpus":2}}', "/resources/cpus"],
      ["yaml", "image: a\nimage: b\n", "/image"],
      ["yaml", 'image: a\n"image": b\n', "/image"],
      ["yaml", "environment: {A: x, A: y}\n", "/environment/A"],
      ["auto", '{"image":"a","image":"b"}', "/image"],
    ] as const)("refuses a duplicate key in %s: %s", (format, text, pointer) => {
      const refusal = refusalOf(text, format);
      expect(refusal.code).toBe("SPEC_DUPLICATE_KEY");
      expect(refusal.details?.[0]?.pointer).toBe(pointer);
    });

    it.each([
      ["an alias", "a: &x [1]\nb: *x\n"],
      ["an alias without an anchor", "a: *x\n"],
      ["an alias as a key", "a: &x b\n*x : c\n"],
    ])("refuses %s", (_, text) => {
      expect(["SPEC_ALIAS", "SPEC_SYNTAX"]).toContain(refusalOf(text, "yaml").code);
    });

    it("refuses a bomb of aliases without expanding it", () => {
      const bomb = [
        "a: &a [x, x]",
        ..."bcdefghijklmnopqrstuvwxyz".split("").map((name, at) => {
          const before = "abcdefghijklmnopqrstuvwxyz"[at];
          return `${name}: &${name} [*${before}, *${before}, *${before}]`;
        }),
      ].join("\n");
      expect(refusalOf(bomb, "yaml").code).toBe("SPEC_ALIAS");
    });

    it.each([
      "0777",
      "0o17",
      "0x1F",
      "+5",
      ".5",
      "5.",
      "01",
      ".inf",
      "-.inf",
      ".nan",
      "1e999",
      "9007199254740993",
      "-9007199254740993",
      "!!int '0777'",
    ])("refuses the YAML number %s", (number) => {
      expect(refusalOf(`a: ${number}\n`, "yaml")).toMatchObject({
        code: expect.stringMatching(/^SPEC_(NUMBER|SYNTAX)$/),
      });
    });

    it.each([
      "0777",
      "1e999",
      "9007199254740993",
      "1.",
      "-",
      "1e",
      "1-2",
      "--1",
      "+1",
      ".5",
      "NaN",
      "Infinity",
      "-Infinity",
      "0x10",
    ])("refuses the JSON number %s", (number) => {
      expect(refusalOf(`{"a":${number}}`, "json").code).toMatch(/^SPEC_(NUMBER|SYNTAX)$/);
    });

    it("says where such a number stands", () => {
      const refusal = refusalOf("image: a\nresources:\n  pids: 0777\n", "yaml");
      expect(refusal.code).toBe("SPEC_NUMBER");
      expect(refusal.message).toContain("line 3, column 9");
      expect(refusal.details?.[0]?.pointer).toBe("/resources/pids");
    });

    it.each(["a: 1\n---\nb: 2\n", "---\na: 1\n...\n---\nb: 1\n", "a: 1\n...\nb\n"])(
      "refuses several documents: %j",
      (text) => {
        expect(refusalOf(text, "yaml").code).toMatch(/^SPEC_(MULTIPLE_DOCUMENTS|SYNTAX)$/);
      },
    );

    it.each([
      ["a tag of the writer's own", "a: !foo 1\n"],
      ["binary", "a: !!binary aGk=\n"],
      ["a set", "a: !!set {x}\n"],
      ["YAML 1.1", "%YAML 1.1\n---\na: 0777\n"],
      ["an unknown directive", "%FOO bar\n---\na: 1\n"],
      ["a number as a key", "1: a\n"],
      ["null as a key", "null: a\n"],
      ["an empty key", ": a\n"],
      ["a list as a key", "? [a]\n: b\n"],
      ["a map that is not closed", "{a: 1\n"],
      ["bad indentation", "a: b\n  c: d\n"],
      ["a tab as indentation", "a:\n\tb: c\n"],
    ])("refuses %s", (_, text) => {
      expect(refusalOf(text, "yaml").code).toBe("SPEC_SYNTAX");
    });

    it("does not merge by <<", () => {
      expect(parseSpecText("<<: {a: 1}\n", "yaml")).toEqual({ "<<": { a: 1 } });
    });
  });

  it("keeps __proto__ as a key, for the next reader to refuse", () => {
    for (const value of [
      parseSpecText('{"__proto__":{"a":1}}', "json"),
      parseSpecText("__proto__: {a: 1}", "yaml"),
    ]) {
      expect(Object.keys(value as object)).toEqual(["__proto__"]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  it("refuses a text that dresses up as a refusal", () => {
    expect(refusalOf('{"refused":true,"code":"ANYTHING","message":"no"}', "json").code).toBe("SPEC_INVALID");
    expect(refusalOf("refused: true\ncode: ANYTHING\n", "yaml").code).toBe("SPEC_INVALID");
    const inner = { a: [{ refused: true, code: "X" }] };
    expect(parseSpecText(JSON.stringify(inner), "json")).toEqual(inner);
    expect(parseSpecText(JSON.stringify(inner), "yaml")).toEqual(inner);
  });

  it("says line and column of a syntax error", () => {
    expect(refusalOf('{\n  "image": alpine\n}', "json").message).toContain("line 2, column 12");
    expect(refusalOf('{"a": 1,\n "b" 2}').message).toContain("line 2, column 6");
    expect(refusalOf('a: "x\n', "yaml").message).toMatch(/line \d+, column \d+/);
  });

  it("reads as JSON exactly what the built-in reader does", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom("", " ", "\n\t"), (text, space) => {
        const value = parseSpecText(space + text + space, "json");
        if (isRefusal(value)) expect(["SPEC_NUMBER", "SPEC_DUPLICATE_KEY"]).toContain(value.code);
        else expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it("accepts no text as JSON that the built-in reader refuses", () => {
    const pieces = fc.array(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        '"a"',
        "1",
        "-",
        "0",
        ".5",
        "e3",
        "true",
        "nul",
        "null",
        " ",
        "\\",
        "\\u00",
        "\n",
        "\t",
        "\u00a0",
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join("");
        let builtIn: unknown;
        try {
          builtIn = { value: JSON.parse(text) };
        } catch {
          builtIn = null;
        }
        const value = parseSpecText(text, "json");
        if (builtIn === null) expect(isRefusal(value)).toBe(true);
        else if (!isRefusal(value))
          expect({ value }).toEqual({ value: normalZero((builtIn as { value: unknown }).value) });
      }),
      { numRuns: 3000 },
    );
  });

  it("reads back what a YAML writer wrote", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ minLength: 1 }),
          fc.oneof(fc.string(), fc.integer(), fc.array(fc.string())),
        ),
        (spec) => {
          if (Object.hasOwn(spec, "__proto__")) return;
          expect(parseSpecText(stringify(spec, { aliasDuplicateObjects: false }), "yaml")).toEqual(spec);
        },
      ),
    );
  });
});

/** -0 is read as 0. */
function normalZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
