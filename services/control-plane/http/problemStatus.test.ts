import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../kernel/projectRoot.ts";
import { problemStatus } from "./problemStatus.ts";

/** What the API's process can throw or be refused with. */
const FOLDERS = [
  "services/control-plane",
  "services/domain/spec",
  "services/domain/task",
  "services/kernel/ledger",
  "services/kernel/postgres",
  "services/kernel/nats",
  "schemas",
  "streams",
];
/** Thrown before there is an API, or never to a caller of it. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "CONFIG_INVALID",
  "DATABASE_NEWER",
  "MIGRATION_EDITED",
  "MIGRATION_ORDER",
  "PORT_TAKEN",
]);

describe("problemStatus", () => {
  it("has a status for every code that is thrown or refused with under the API", () => {
    const missing = codes().filter((code) => !(code in problemStatus) && !ELSEWHERE.has(code));
    expect(missing).toEqual([]);
  });

  it("holds statuses of failures only", () => {
    for (const status of Object.values(problemStatus)) expect(status >= 400 && status < 600).toBe(true);
  });
});

function codes(): string[] {
  const thrown =
    /(?:new (?:Rejection|Retryable|Poison)|refuse)\(\s*(?:[\w.]+ \? )?"([A-Z][A-Z0-9_]+)"(?:[^)"]*: "([A-Z][A-Z0-9_]+)")?/g;
  const found = new Set<string>();
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts") || name.endsWith(".test.ts") || name.includes("migrat")) continue;
      for (const match of readFileSync(join(projectRoot, folder, name), "utf8").matchAll(thrown)) {
        for (const code of match.slice(1)) if (code !== undefined) found.add(code);
      }
    }
  }
  return [...found].sort();
}
