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

it("sends a project as it is: the policy and each file that it names, and what flags say beside it", () => {
  const policy = {
    schema_version: 1,
    agent: "main.js",
    modules: { "./lib.js": "lib.js" },
    packages: { left: "vendor/left" },
    package_integrity: { left: `sha256:${"0".repeat(64)}` },
    fs_read: ["data"],
    fs_read_exclude: ["*.bin"],
    tools: ["listFiles"],
    budgets: { max_events: 3, max_scheduler_turns: 2 },
  };
  const files = {
    "agent-policy.json": `${JSON.stringify(policy, null, 2)}\n`,
    "main.js": 'import "./lib.js"',
    "lib.js": "1",
    "data/a.txt": "x",
    "vendor/left/package.json": '{"main":"i.js"}',
    "vendor/left/i.js": "2",
  };
  for (const [name, text] of Object.entries(files)) file(`p/${name}`, text);
  for (const name of ["secret.txt", "data/b.bin", "vendor/left/readme.md"]) file(`p/${name}`, "\0");
  const project = join(home.path, "p");
  expect(specOf({ project }).project).toEqual({ files, tools: [], budgets: {} });
  const given = specOf({
    project,
    tool: ["echo"],
    budget: ["max_events=5"],
    contextJson: '{"a":1}',
    timeout: 7,
  });
  expect(given).toMatchObject({
    timeout_seconds: 7,
    project: { files, tools: ["echo"], budgets: { max_events: 5 }, context: { a: 1 } },
  });
  expect(() => scriptSpec({ project, fsRead: ["."] })).toThrow(expect.objectContaining({ code: "USAGE" }));

  file("p/agent-policy.json", JSON.stringify({ ...policy, modules: { x: "../outside.js" } }));
  file("outside.js", "1");
  expect(() => scriptSpec({ project })).toThrow(expect.objectContaining({ code: "BUNDLE_REFUSED" }));
  file("p/agent-policy.json", JSON.stringify({ ...policy, approval_required_tools: ["echo"] }));
  expect(() => specOf({ project })).toThrow("/approval_required_tools has no place on a node");
});

it.each([
  [{ budget: ["max_events"] }, "USAGE"],
  [{ contextJson: "[]" }, "USAGE"],
  [{ fsRead: [file("b.bin", "\0")] }, "FILE_UNREADABLE"],
])("refuses %j before anything is sent", (more, code) => {
  expect(() => scriptSpec({ script: file("x.js", "1"), ...more })).toThrow(expect.objectContaining({ code }));
});
