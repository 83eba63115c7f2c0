import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../services/kernel/projectRoot.ts";
import { describeStreams } from "./describe.ts";
import { filters, isName, parseLedgerSubject, parseLogSubject, subjects, token } from "./subjects.ts";

const SAFE = /^[a-z0-9_.-]+$/;
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(".", "*", ">", " ", "\r", "\n", "\0", "a", "é", "𝒶") }),
  fc.constantFrom(
    "a.b",
    "*",
    ">",
    "a\r\nPUB x 0",
    "",
    " a",
    "a ",
    "-a",
    "_a",
    "A",
    "a".repeat(64),
    "ａ",
    "a\u0000",
  ),
);

describe("subjects", () => {
  it("let no dot, star, >, space, line break or Unicode of a user through", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const parts = {
          tenant: text,
          kind: "task" as const,
          id: text,
          node: text,
          task: text,
          attempt: 1,
          stream: "stdout" as const,
        };
        for (const build of [
          subjects.ledger,
          subjects.claim,
          subjects.report,
          subjects.log,
          subjects.grant,
          subjects.beat,
          subjects.control,
          filters.claimsOf,
          filters.logsOfTask,
        ]) {
          let subject: string;
          try {
            subject = build(parts);
          } catch (error) {
            expect(error).toMatchObject({ code: "NAME_INVALID" });
            expect(isName(text)).toBe(false);
            continue;
          }
          expect(isName(text)).toBe(true);
          if (build !== filters.claimsOf && build !== filters.logsOfTask) expect(subject).toMatch(SAFE);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it("give each of their parts back", () => {
    const name = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,62}$/);
    fc.assert(
      fc.property(name, name, name, fc.integer({ min: 1, max: 999 }), (tenant, id, node, attempt) => {
        expect(parseLedgerSubject(subjects.ledger({ tenant, kind: "task", id }))).toEqual({
          tenant,
          kind: "task",
          id,
        });
        const log = { node, task: id, attempt, stream: "stderr" as const };
        expect(parseLogSubject(subjects.log(log))).toEqual(log);
      }),
    );
  });

  it("refuse a name that is too long or begins wrongly, saying which", () => {
    expect(() => token("a".repeat(64))).toThrow(expect.objectContaining({ code: "NAME_INVALID" }));
    expect(() => token("-rm")).toThrow('"-rm" is not a valid name');
  });
});

describe("the description of the streams", () => {
  it("is what the declarations say", () => {
    expect(readFileSync(join(projectRoot, "streams", "README.md"), "utf8")).toBe(describeStreams());
  });
});
