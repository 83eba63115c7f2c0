import { describe, expect, it } from "vitest";
import { type FlagTable, parseFlags } from "./parseFlags.ts";
import { wordsFault } from "./wordsFault.ts";

const table: FlagTable = {
  json: { kind: "switch", group: "", about: "" },
  "run-id": { kind: "text", group: "", about: "" },
  reason: { kind: "text", group: "", about: "" },
  "max-events": { kind: "number", group: "", about: "" },
  tool: { kind: "list", group: "", about: "" },
  secret: { kind: "binding", group: "", about: "" },
};
const refused = (...words: string[]) => {
  try {
    parseFlags(table, words);
    return null;
  } catch (error) {
    return (error as { code: string; message: string; hint?: string }).message;
  }
};

describe("the flag grammar", () => {
  it("takes a value after the flag or after its first equals sign", () => {
    const flags = parseFlags(table, ["--run-id=a=b", "--reason", "-x", "file", "--max-events", "0"]);
    expect([...flags.texts]).toEqual([
      ["run-id", "a=b"],
      ["reason", "-x"],
    ]);
    expect(flags.positionals).toEqual(["file"]);
    expect(flags.numbers.get("max-events")).toBe(0);
  });

  it("lets the last scalar win and collects lists", () => {
    const flags = parseFlags(table, ["--run-id=a", "--tool=x", "--run-id", "b", "--tool", "y"]);
    expect(flags.texts.get("run-id")).toBe("b");
    expect(flags.lists.get("tool")).toEqual(["x", "y"]);
  });

  it("lets a switch eat nothing and take no value", () => {
    expect(parseFlags(table, ["--json", "file"]).positionals).toEqual(["file"]);
    expect(refused("--json=true")).toContain("takes no value");
  });

  it("refuses what is missing, empty, unknown or not a number in form", () => {
    for (const words of [["--run-id"], ["--run-id="], ["--nope"], ["-x"], ["--"], ["--__proto__=1"]]) {
      expect(refused(...words)).not.toBeNull();
    }
    for (const number of ["1.0", "-1", "1e3", "0x1", " 1", "2147483648"])
      expect(refused(`--max-events=${number}`)).not.toBeNull();
    expect(refused("--max-events=2147483647")).toBeNull();
  });

  it("says which flag got no value, an empty one, or the next flag for one", () => {
    expect(refused("--run-id")).toBe("--run-id needs a value.");
    for (const words of [["--run-id", ""], ["--run-id="]])
      expect(refused(...words)).toBe("--run-id needs a value, and the one given is empty.");
    for (const next of ["--json", "--reason=x"])
      expect(refused("--run-id", next)).toBe(`--run-id needs a value, and ${next} is a flag.`);
    expect(refused("--run-id=--json")).toBeNull();
    expect(refused("--run-id", "--other")).toBeNull();
  });

  it("takes one binding a name", () => {
    const flags = parseFlags(table, ["--secret=a=X=Y", "--secret", "b=Z"]);
    expect([...flags.bindings.get("secret")!]).toEqual([
      ["a", "X=Y"],
      ["b", "Z"],
    ]);
    expect(refused("--secret=a=X", "--secret=a=Y")).toContain("twice");
    for (const form of ["a", "=x", "a="]) expect(refused(`--secret=${form}`)).toContain("name=value");
  });

  it("names the known flag that is nearest", () => {
    expect(() => parseFlags(table, ["--max-evens=1"])).toThrow(
      expect.objectContaining({ hint: "Did you mean --max-events?" }),
    );
  });
});

describe("the words of a command", () => {
  const two = { name: "approval allow", usage: "<approval log> <approval id>", positionals: [2, 2] } as const;
  const usage = "Usage: cazi agent approval allow <approval log> <approval id>";

  it("are told apart by what is missing, empty or one too many", () => {
    const fault = (...words: string[]) => wordsFault(two, words);
    expect(fault()).toBe(`<approval log> and <approval id> are missing. ${usage}`);
    expect(fault("log")).toBe(`<approval id> is missing. ${usage}`);
    expect(fault("log", "")).toBe(`<approval id> is empty. ${usage}`);
    expect(fault("log", "id", "x y")).toBe(`"x y" is one word too many. ${usage}`);
    expect(fault("log", "id")).toBeNull();
  });
});
