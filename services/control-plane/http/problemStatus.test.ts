import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { problems } from "../../../schemas/problems/catalogue.ts";
import { projectRoot } from "../../kernel/projectRoot.ts";
import { problemStatus } from "./problemStatus.ts";

/** Where codes are thrown. The compartment is a program of its own, with codes and documents of its own. */
const FOLDERS = ["deploy", "mcp", "schemas", "services", "streams"];
const APART = ["services/compartment/", "schemas/problems/"];

describe("the problem catalogue", () => {
  it("has an entry for every code that is thrown or refused with: add a missing one to a list in schemas/problems/, with status, means and todo", () => {
    const missing = thrownCodes().filter((code) => !(code in problems));
    expect(missing, "codes to add to schemas/problems/<area>Problems.ts").toEqual([]);
  });

  it("has no entry for a code that nothing throws: delete it from schemas/problems/, unless it was ever shipped", () => {
    const all = [...texts().values()].join("\n");
    const unused = Object.keys(problems).filter((code) => !all.includes(`"${code}"`));
    expect(unused, "codes that stand in no source").toEqual([]);
  });

  it("holds statuses of failures only, and says in sentences what is meant and what to do", () => {
    for (const status of Object.values(problemStatus)) expect(status >= 400 && status < 600).toBe(true);
    for (const [code, { means, todo }] of Object.entries(problems)) {
      expect(means, code).toMatch(/^[A-Z].*\.$/s);
      expect(todo, code).toMatch(/^\S.*\.$/s);
    }
  });
});

function texts(): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const inner of readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })) {
      const name = `${folder}/${inner}`;
      if (!name.endsWith(".ts") || name.endsWith(".test.ts") || name.includes("node_modules")) continue;
      if (name.includes("/testing/")) continue;
      if (APART.some((apart) => name.startsWith(apart))) continue;
      found.set(name, readFileSync(join(projectRoot, name), "utf8"));
    }
  }
  return found;
}

function thrownCodes(): string[] {
  const thrown =
    /(?:new (?:Rejection|Retryable|Poison)|refuse)\(\s*(?:[\w.]+ \? )?"([A-Z][A-Z0-9_]+)"(?:[^)"]*: "([A-Z][A-Z0-9_]+)")?/g;
  const found = new Set<string>();
  for (const text of texts().values()) {
    for (const match of text.matchAll(thrown)) {
      for (const code of match.slice(1)) if (code !== undefined) found.add(code);
    }
  }
  return [...found].sort();
}
