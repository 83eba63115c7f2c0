import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../kernel/projectRoot.ts";
import { controlTests } from "./controlTests.ts";
import { controls } from "./doctorReport.ts";

const textOf = (file: string) => readFileSync(join(projectRoot, "services/compartment", file), "utf8");

/** What each listed test is called and where; a test that vanished is caught here, not by a reader. */
function parts(test: string): readonly [file: string, title: string] {
  const colon = test.indexOf(": ");
  return [test.slice(0, colon), test.slice(colon + 2)];
}

describe("a control that the doctor states", () => {
  it("is backed by tests that are there, and nothing is backed that it does not state", () => {
    expect(Object.keys(controlTests).sort()).toEqual(Object.keys(controls).sort());
    const missing = Object.entries(controlTests).flatMap(([control, tests]) =>
      tests.length === 0
        ? [`${control} has no test`]
        : tests
            .filter((test) => {
              const [file, title] = parts(test);
              return !textOf(file).includes(`it("${title}"`);
            })
            .map((test) => `${control}: ${test}`),
    );
    expect(missing).toEqual([]);
  });

  it("is attacked on the real engine, by a command or by a log that was tampered with", () => {
    const unattacked = Object.entries(controlTests)
      .filter(
        ([, tests]) => !tests.some((test) => /\.int\.test\.ts|auditChain\.test\.ts/.test(parts(test)[0])),
      )
      .map(([control]) => control);
    expect(unattacked).toEqual([]);
  });
});
