import { describe, expect, it } from "vitest";
import { canonicalSpec } from "../../kernel/canonicalSpec.ts";
import { isRefusal } from "../refusal.ts";
import { programOf, toolsNeeded } from "./programOf.ts";
import { readSpec } from "./readSpec.ts";

const policy = (more: object = {}) => JSON.stringify({ schema_version: 1, agent: "main.js", ...more });
const project = (more: object = {}, files: object = {}, beside: object = {}) => ({
  files: { "agent-policy.json": policy(more), "main.js": "emit({})", ...files },
  ...beside,
});

function specOf(given: unknown) {
  const read = readSpec({ project: given });
  if (isRefusal(read)) throw new Error(JSON.stringify(read));
  return read.spec;
}

/** What is wrong with a project, by pointer. */
function faults(given: unknown, more: object = {}): Record<string, string> {
  const read = readSpec({ project: given, ...more });
  if (!isRefusal(read)) throw new Error("was read");
  expect(read.code).toBe("SPEC_INVALID");
  return Object.fromEntries((read.details ?? []).map(({ pointer, message }) => [pointer, message]));
}

/** What is wrong with its policy, which is one of its files. */
const policyFault = (more: object, files: object = {}) =>
  faults(project(more, files))["/project/files/agent-policy.json"];

describe("a project in a spec", () => {
  it("is its files as they are, with one digest, and its output is read line by line", () => {
    const spec = specOf(project());
    expect(spec).toMatchObject({ image: null, script: null, output_format: "ndjson" });
    expect(spec.project).toEqual({ ...project(), tools: [], budgets: {} });
    expect(specOf(JSON.parse(canonicalSpec(spec).json).project)).toEqual(spec);
    const other = specOf(project({}, { "main.js": "emit({ })" }));
    expect(canonicalSpec(other).digest).not.toBe(canonicalSpec(spec).digest);
  });

  it("changes nothing of specs without one", () => {
    const read = readSpec({ image: "alpine" });
    expect("spec" in read && "project" in read.spec).toBe(false);
  });

  it("takes all that a policy may say of a program, and names what needs a node's offer", () => {
    const given = project(
      {
        profile: "p",
        audit_log: "audit/run.jsonl",
        tools: ["readFile", "osv.query", "model.call", "process"],
        modules: { "./lib.js": "./lib/lib.js" },
        packages: { left: "vendor/@s/left", right: "vendor/right.js" },
        package_integrity: { left: "sha256:0", right: "sha256:0" },
        fs_read: ["data/", "."],
        fs_write: "out",
        osv_fixture: "osv.json",
        model_provider: "openai.responses",
        model_api_key_env: "KEY",
        budgets: { max_events: 3, max_scheduler_turns: 2 },
        approval_required_tools: [],
      },
      {
        "lib/lib.js": "1",
        "vendor/@s/left/package.json": "{}",
        "vendor/right.js": "1",
        "data/a.txt": "a",
        "osv.json": "{}",
      },
      { tools: ["echo"], budgets: { max_events: 5 }, context: { a: 1 }, process_image: "alpine" },
    );
    const program = programOf(specOf(given))!;
    expect(program.tools).toEqual(["readFile", "osv.query", "model.call", "process", "echo"]);
    expect(toolsNeeded(program)).toEqual([
      "readFile",
      "model_by_plane",
      "process_as_task",
      "echo",
      "projects",
    ]);
  });

  it.each([
    ["a script beside it", project(), { script: "1" }, "/project", "cannot be given beside script"],
    ["an image beside it", project(), { image: "alpine" }, "/project", "cannot be given beside image"],
    ["a container's field", project(), { command: ["sh"] }, "/command", "means nothing for a script"],
    ["no policy", { files: { "main.js": "1" } }, {}, "/project/files/agent-policy.json", "is missing"],
    ["no files", {}, {}, "/project/files", "is missing"],
    [
      "a path that is absolute",
      project({}, { "/etc/x": "" }),
      {},
      "/project/files/~1etc~1x",
      "relative path",
    ],
    ["one that leaves it", project({}, { "../x": "" }), {}, "/project/files/..~1x", "relative path"],
    [
      "one in another spelling",
      project({}, { "./main.js": "" }),
      {},
      "/project/files/.~1main.js",
      "relative path",
    ],
    ["one with doubled slashes", project({}, { "a//b": "" }), {}, "/project/files/a~1~1b", "relative path"],
    [
      "a file as a folder",
      project({}, { a: "", "a/b": "" }),
      {},
      "/project/files/a",
      "is a file, and a folder",
    ],
    [
      "a file that is too long",
      project({}, { a: "x".repeat(131_073) }),
      {},
      "/project/files/a",
      "at most 131072",
    ],
    [
      "a budget out of its bounds",
      project({}, {}, { budgets: { max_rss_mb: 1 } }),
      {},
      "/project/budgets/max_rss_mb",
      "at least 96",
    ],
    [
      "an unknown budget",
      project({}, {}, { budgets: { max_call: 1 } }),
      {},
      "/project/budgets/max_call",
      "is not a budget",
    ],
    [
      "an unknown tool beside it",
      project({}, {}, { tools: ["ecko"] }),
      {},
      "/project/tools/0",
      "did you mean echo",
    ],
    [
      "an image that nothing runs in",
      project({}, {}, { process_image: "a" }),
      {},
      "/project/process_image",
      "needs process",
    ],
  ])("refuses %s", (_what, given, more, pointer, message) => {
    const found = faults(given, more);
    expect(Object.keys(found)).toEqual([pointer]);
    expect(found[pointer]).toContain(message);
  });

  it.each([
    ["no program", { agent: undefined }, "/agent or /entry_module"],
    [
      "a program that is not there",
      { agent: "other.js" },
      "/agent names other.js, which is not among the files",
    ],
    ["a module that is not there", { modules: { "./x": "x.js" } }, "/modules/.~1x names x.js"],
    ["a package without its pin", { packages: { p: "main.js" } }, "/package_integrity/p is missing"],
    ["a path that leaves it", { fs_read: ["../x"] }, "/fs_read/0 must be a path inside the project"],
    ["an absolute path", { model_fixture: "/etc/m.json" }, "/model_fixture must be a path inside"],
    ["an unknown tool", { tools: ["shell"] }, "/tools/0 no compartment gives shell"],
    [
      "a credential of another tool",
      { secrets: { "github.pr.read": "GH" } },
      "for a tool that is not granted",
    ],
    ["an unknown key", { tool: ["echo"] }, "/tool is not known; did you mean tools?"],
    ["approvals", { approval_required_tools: ["echo"] }, "/approval_required_tools has no place on a node"],
    [
      "commands of a machine",
      { process_commands: { sh: "/bin/sh" } },
      "/process_commands has no place on a node",
    ],
    ["a budget out of its bounds", { budgets: { max_rss_mb: 1 } }, "/budgets/max_rss_mb must be at least 96"],
  ])("refuses a policy with %s", (_what, more, message) => {
    expect(policyFault(more)).toContain(message);
  });

  it("refuses a policy that two readers could understand differently", () => {
    const text = '{"schema_version":1,"agent":"main.js","tools":[],"tools":["echo"]}';
    expect(faults(project({}, { "agent-policy.json": text }))).toEqual({
      "/project/files/agent-policy.json": expect.stringContaining("cannot be read"),
    });
  });

  it("has at most 256 files, and as many bytes as a spec", () => {
    const many = Object.fromEntries(Array.from({ length: 255 }, (_, index) => [`f${index}`, ""]));
    expect(faults(project({}, many))).toEqual({ "/project/files": "must have at most 256 names, not 257" });
    const large = { a: "x".repeat(131_000), b: "x".repeat(131_000) };
    expect(readSpec({ project: project({}, large) })).toMatchObject({ code: "SPEC_TOO_LARGE" });
  });
});
