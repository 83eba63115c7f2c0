import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { tempHome } from "../../../test/support/tempHome.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { readSpec } from "../../domain/spec/readSpec.ts";
import { type ScriptOptions, scriptSpec } from "./scriptSpec.ts";

const home = tempHome();
afterAll(() => home.remove());

function file(name: string, text: string): string {
  const path = join(home.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** As the control plane reads it. */
function specOf(options: ScriptOptions) {
  const read = readSpec(JSON.parse(scriptSpec(options).text));
  if (isRefusal(read)) throw new Error(JSON.stringify(read));
  return read.spec;
}

it("sends a program with what it is given, and with nothing else", () => {
  const script = file("sum.js", "emit({})");
  expect(specOf({ script }).script).toMatchObject({ source: "emit({})", tools: [], files: {}, budgets: {} });
  const given = specOf({
    script,
    tool: ["readFile", "process"],
    processImage: "alpine:3",
    budget: ["max-events=5"],
    contextJson: '{"a":1}',
    fsRead: [file("data/in.txt", "ab")],
    timeout: 9,
  });
  expect(given).toMatchObject({
    timeout_seconds: 9,
    script: {
      tools: ["readFile", "process"],
      process_image: "alpine:3",
      budgets: { max_events: 5 },
      context: { a: 1 },
      files: { "in.txt": "ab" },
    },
  });
});

it("sends a whole project with its policy, or refuses where a part of that has no place on a node", () => {
  file("p/main.js", 'import "./lib.js"');
  file("p/lib.js", "1");
  file("p/data/a.txt", "x");
  const policy = {
    schema_version: 1,
    agent: "main.js",
    modules: { "./lib.js": "lib.js" },
    fs_read: ["data"],
    tools: ["listFiles"],
    budgets: { max_events: 3, max_scheduler_turns: 2 },
  };
  file("p/agent-policy.json", JSON.stringify(policy));
  const project = join(home.path, "p");
  expect(specOf({ project, tool: ["echo"] }).script).toMatchObject({
    source: 'import "./lib.js"',
    modules: { "./lib.js": "1" },
    files: { "data/a.txt": "x" },
    tools: ["listFiles", "echo"],
    budgets: { max_events: 3 },
  });
  file("p/agent-policy.json", JSON.stringify({ ...policy, approval_required_tools: ["echo"] }));
  expect(() => scriptSpec({ project })).toThrow("approval_required_tools cannot go to a node");
});

it.each([
  [{ budget: ["max_events"] }, "USAGE"],
  [{ contextJson: "[]" }, "USAGE"],
  [{ fsRead: [file("b.bin", "\0")] }, "FILE_UNREADABLE"],
])("refuses %j before anything is sent", (more, code) => {
  expect(() => scriptSpec({ script: file("x.js", "1"), ...more })).toThrow(expect.objectContaining({ code }));
});
