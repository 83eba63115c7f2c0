import { describe, expect, it } from "vitest";
import { canonicalSpec } from "../../kernel/canonicalSpec.ts";
import { isRefusal } from "../refusal.ts";
import { readSpec } from "./readSpec.ts";

function specOf(input: unknown) {
  const read = readSpec(input);
  if (isRefusal(read)) throw new Error(JSON.stringify(read));
  return read.spec;
}

/** What is wrong with `script`, by pointer. */
function faults(script: unknown, more: object = {}): Record<string, string> {
  const read = readSpec({ script, ...more });
  if (!isRefusal(read)) throw new Error("was read");
  expect(read.code).toBe("SPEC_INVALID");
  return Object.fromEntries((read.details ?? []).map(({ pointer, message }) => [pointer, message]));
}

describe("a script in a spec", () => {
  it("is given nothing unless it is said, and its output is read line by line", () => {
    const spec = specOf({ script: "emit({})" });
    expect(spec.script).toEqual({
      source: "emit({})",
      modules: {},
      files: {},
      context: {},
      tools: [],
      budgets: {},
      credentials: {},
      redact_fields: [],
    });
    expect(spec).toMatchObject({ image: null, output_format: "ndjson" });
    expect(specOf({ script: "1", output_format: "text" }).output_format).toBe("text");
  });

  it("has one digest in both spellings, and another one for another source", () => {
    const digest = (script: unknown) => canonicalSpec(specOf({ script })).digest;
    expect(digest("emit({})")).toBe(digest({ source: "emit({})", tools: [] }));
    expect(digest("emit({})")).not.toBe(digest("emit({ })"));
    expect(digest("1")).not.toBe(digest({ source: "1", tools: ["echo"] }));
    expect(digest("1")).not.toBe(digest({ source: "1", files: { "a.txt": "" } }));
  });

  it("is read to the same spec again from what is stored", () => {
    const script = { source: "1", tools: ["github.pr.read"], budgets: { max_steps: 5 }, context: { a: [1] } };
    const spec = specOf({ script: { ...script, credentials: { "github.pr.read": "TOKEN" } } });
    expect(specOf(JSON.parse(canonicalSpec(spec).json))).toEqual(spec);
  });

  it("names each tool that there is not, or that no compartment gives", () => {
    expect(faults({ source: "1", tools: ["echo", "osv.qery", "shell"] })).toEqual({
      "/script/tools/1": "is no tool; did you mean osv.query?",
      "/script/tools/2": "no compartment gives shell: use the tool process",
    });
  });

  it("takes a credential for a granted tool that uses one, by the name of a variable", () => {
    const given = (tool: string, variable = "TOKEN") => ({
      source: "1",
      tools: ["echo"],
      credentials: { [tool]: variable },
    });
    expect(faults(given("echo"))).toEqual({ "/script/credentials/echo": "takes no credential" });
    expect(faults(given("github.pr.read"))).toEqual({
      "/script/credentials/github.pr.read": "is not among the tools",
    });
    const pointer = "/script/credentials/github.pr.read";
    expect(Object.keys(faults(given("github.pr.read", "gh-123")))).toEqual([pointer]);
    expect(faults(given("model.call"))).toEqual({
      "/script/credentials/model.call": "takes no credential: the control plane has the key",
    });
  });

  it.each([
    [{ source: "" }, "/script/source"],
    [{ source: "1", budgets: { timeout_ms: 0 } }, "/script/budgets/timeout_ms"],
    [{ source: "1", budgets: { max_rss_mb: 95 } }, "/script/budgets/max_rss_mb"],
    [{ source: "1", budgets: { max_call: 1 } }, "/script/budgets/max_call"],
    [{ source: "1", process_image: "alpine" }, "/script/process_image"],
    [{ source: "1", tools: ["process"], process_image: "--rm" }, "/script/process_image"],
    [{ source: "1", sauce: "2" }, "/script/sauce"],
    [{ source: "1", files: { "../x": "" } }, "/script/files/..~1x"],
    [{ source: "1", files: { "/etc/x": "" } }, "/script/files/~1etc~1x"],
    [{ source: "1", modules: { "node:fs": "1" } }, "/script/modules/node:fs"],
    [{ source: "1", context: [] }, "/script/context"],
    [7, "/script"],
  ])("refuses %j at %s", (script, pointer) => {
    expect(Object.keys(faults(script))).toEqual([pointer]);
  });

  it.each([
    ["command", ["sh"]],
    ["environment", { A: "1" }],
    ["mounts", [{ source: "/srv/a", target: "/a" }]],
    ["network", "none"],
    ["user", "root"],
  ])("refuses %s, which is a container's", (field, value) => {
    expect(faults("1", { [field]: value })).toEqual({
      [`/${field}`]: "means nothing for a script: it has no container",
    });
  });
});
