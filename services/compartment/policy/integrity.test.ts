import { describe, expect, it } from "vitest";
import { jsonDepth } from "../membrane/jsonText.ts";
import { matchesGlob } from "../tools/matchesGlob.ts";
import { isWeak, parseIntegrity } from "./admitModules.ts";
import { duplicateKeys } from "./duplicateKeys.ts";
import { fnv1a64 } from "./fnv1a64.ts";

describe("fingerprints", () => {
  it("follow the published vectors of FNV-1a", () => {
    const of = (text: string) => fnv1a64(Buffer.from(text, "utf8"));
    expect(["", "a", "foobar", "š"].map(of)).toEqual([
      "fnv1a64:cbf29ce484222325",
      "fnv1a64:af63dc4c8601ec8c",
      "fnv1a64:85944171f73967e8",
      "fnv1a64:0aad6b07b70650b3",
    ]);
  });

  it("are read in either form or both, and in no other", () => {
    const [fnv, sha] = [`fnv1a64:${"0".repeat(16)}`, `sha256:${"1".repeat(64)}`];
    expect(isWeak(parseIntegrity(fnv)!)).toBe(true);
    expect(isWeak(parseIntegrity(`${fnv},${sha}`)!)).toBe(false);
    expect(parseIntegrity(sha)).toEqual({ fnv1a64: null, sha256: "1".repeat(64) });
    for (const bad of ["", "x", `${fnv},`, `${fnv},${fnv}`, `fnv1a64:${"0".repeat(15)}`, fnv.toUpperCase()]) {
      expect(parseIntegrity(bad)).toBeNull();
    }
  });
});

describe("repeated members", () => {
  it("are found at any depth, and not where only values repeat", () => {
    expect(duplicateKeys('{"a":1,"b":{"c":1,"c":2},"a":[{"d":1,"d":1}]}')).toEqual(["/b/c", "/a", "/a/0/d"]);
    expect(duplicateKeys('{"a":"a","b":["a","a"],"c":{"a":1}}')).toEqual([]);
    expect(duplicateKeys('{"a":1,"\\u0061":2}')).toEqual(["/a"]);
    expect(duplicateKeys("{")).toEqual([]);
  });
});

describe("globs", () => {
  it("match within and across segments", () => {
    const cases: [string, string, boolean][] = [
      ["*.ts", "a.ts", true],
      ["*.ts", "b/a.ts", false],
      ["**/*.ts", "a.ts", true],
      ["**/*.ts", "b/c/a.ts", true],
      ["src/**", "src/a/b", true],
      ["a?c", "abc", true],
      ["a?c", "ac", false],
      ["*a*b*", "xxaxxbxx", true],
    ];
    for (const [glob, path, expected] of cases)
      expect([glob, path, matchesGlob(glob, path)]).toEqual([glob, path, expected]);
    expect(matchesGlob(`${"*a".repeat(50)}b`, "a".repeat(200))).toBe(false);
  });
});

describe("the depth of a text", () => {
  it("counts what is open, not what stands in strings", () => {
    expect(jsonDepth('{"a":[{"b":"[[[[{{{"}],"c":"\\"[[["}')).toBe(3);
    expect(jsonDepth("1")).toBe(0);
  });
});
