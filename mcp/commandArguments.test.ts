import { describe, expect, it } from "vitest";
import { argumentsOfJson, argumentsOfPairs } from "./commandArguments.ts";
import { tools } from "./registry.ts";

const tool = (name: string) => tools.find((one) => one.name === name)!;

describe("a tool's arguments on a command line", () => {
  it("are read by the tool's schema: text as text, numbers as numbers, names given twice as lists", () => {
    expect(
      argumentsOfPairs(tool("list_tasks"), ["limit=5", "status=failed", "status=cancelled", "name=7"]),
    ).toEqual({
      limit: 5,
      status: ["failed", "cancelled"],
      name: "7",
    });
    expect(argumentsOfPairs(tool("list_tasks"), ['status=["failed"]', "label=team=a"])).toEqual({
      status: ["failed"],
      label: ["team=a"],
    });
    expect(argumentsOfPairs(tool("submit_task"), ["spec=image: a\ncommand: [b]"])).toEqual({
      spec: "image: a\ncommand: [b]",
    });
  });

  it("that the tool does not know are left for it to refuse", () => {
    expect(argumentsOfPairs(tool("get_task"), ["limt=five"])).toEqual({ limt: "five" });
  });

  it("are refused where they are no pairs and no object", () => {
    for (const wrong of [
      () => argumentsOfPairs(tool("get_task"), ["id"]),
      () => argumentsOfPairs(tool("get_task"), ["=x"]),
    ]) {
      expect(wrong).toThrow(expect.objectContaining({ code: "USAGE" }));
    }
    for (const text of ["[]", "7", "{", "null"]) {
      expect(() => argumentsOfJson(text)).toThrow(expect.objectContaining({ code: "USAGE" }));
    }
    expect(argumentsOfJson('{"id":"a"}')).toEqual({ id: "a" });
  });
});
