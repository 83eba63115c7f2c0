import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../services/kernel/projectRoot.ts";

/** Files of the project that are loaded with one, types aside. */
function loadedWith(entry: string): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(join(projectRoot, file))) return;
    seen.add(file);
    const text = readFileSync(join(projectRoot, file), "utf8");
    for (const [, target] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm)) {
      visit(target!.startsWith(".") ? normalize(join(dirname(file), target!)) : target!);
    }
  };
  visit(entry);
  return seen;
}

describe("a start", () => {
  it.each(["deploy/compose/startRoles.ts", "deploy/compose/serveRole.ts", "services/cli/program.ts"])(
    "loads nothing of MCP: %s",
    (entry) => {
      const loaded = loadedWith(entry);
      expect(loaded.size).toBeGreaterThan(3);
      expect([...loaded].filter((file) => /^mcp\/|@modelcontextprotocol/.test(file))).toEqual([]);
    },
  );
});
