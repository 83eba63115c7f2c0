import { expect, it } from "vitest";
import { parseArgv } from "./parseArgv.ts";

it("pretends the few programs that load and race tests need", () => {
  expect(parseArgv(["exit", "7"])).toEqual({ sleepMs: 0, exitCode: 7, stdout: "" });
  expect(parseArgv(["sleep", "0.5"])).toEqual({ sleepMs: 500, exitCode: 0, stdout: "" });
  expect(parseArgv(["echo", "a", "b"])).toEqual({ sleepMs: 0, exitCode: 0, stdout: "a b\n" });
});

it("lets anything else exit with 0 at once", () => {
  const nothing = { sleepMs: 0, exitCode: 0, stdout: "" };
  expect(parseArgv([])).toEqual(nothing);
  expect(parseArgv(["sh", "-c", "exit 3"])).toEqual(nothing);
  expect(parseArgv(["sleep", "long"])).toEqual(nothing);
});
