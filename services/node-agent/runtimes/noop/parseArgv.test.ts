import { expect, it } from "vitest";
import { parseArgv } from "./parseArgv.ts";

it("pretends the few programs that load and race tests need", () => {
  expect(parseArgv(["exit", "7"], 1)).toEqual({ sleepMs: 0, exitCode: 7, stdout: "" });
  expect(parseArgv(["sleep", "0.5"], 1)).toEqual({ sleepMs: 500, exitCode: 0, stdout: "" });
  expect(parseArgv(["echo", "a", "b"], 1)).toEqual({ sleepMs: 0, exitCode: 0, stdout: "a b\n" });
  expect([1, 2, 3].map((attempt) => parseArgv(["fail", "2"], attempt).exitCode)).toEqual([1, 1, 0]);
});

it("lets anything else exit with 0 at once", () => {
  const nothing = { sleepMs: 0, exitCode: 0, stdout: "" };
  expect(parseArgv([], 1)).toEqual(nothing);
  expect(parseArgv(["sh", "-c", "exit 3"], 1)).toEqual(nothing);
  expect(parseArgv(["sleep", "long"], 1)).toEqual(nothing);
});
