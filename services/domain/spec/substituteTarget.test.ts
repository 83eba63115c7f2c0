import { describe, expect, it } from "vitest";
import { isRefusal } from "../refusal.ts";
import { specBytesMax } from "./limits.ts";
import { readSpec } from "./readSpec.ts";
import { substituteTarget } from "./substituteTarget.ts";

const target = "example.com";
const textOf = (text: string, by = target) => {
  const done = substituteTarget({ command: ["TARGET", text] }, by);
  return isRefusal(done) ? done.code : (done.spec.command as string[])[1];
};

describe("a template", () => {
  it.each([
    ["TARGET", "example.com"],
    ["--host=TARGET:443", "--host=example.com:443"],
    ["https://TARGET/x?y=TARGET", "https://example.com/x?y=example.com"],
    ["set RHOSTS TARGET; set TARGETURI /admin", "set RHOSTS example.com; set TARGETURI /admin"],
    [
      "MY_TARGET TARGET_1 TARGETS TARGET2 target ÜTARGET",
      "MY_TARGET TARGET_1 TARGETS TARGET2 target ÜTARGET",
    ],
  ])("has %j as %j", (text, expected) => {
    expect(textOf(text)).toBe(expected);
  });

  it("has its target put in literally and once", () => {
    expect(textOf("a TARGET b", "$& $1 TARGET")).toBe("a $& $1 TARGET b");
  });

  it("keeps names, and what is no text", () => {
    const template = { environment: { TARGET: "TARGET" }, max_retries: 2, workdir: null };
    const spec = { environment: { TARGET: target }, max_retries: 2, workdir: null };
    expect(substituteTarget(template, target)).toEqual({ spec });
  });

  it("leaves the template of a task sink within its own placeholder, and hands on what its target says", () => {
    const inner = { type: "task", template: { command: ["TARGET"] }, target: "TARGET" };
    const plain = { type: "task", spec: { command: ["TARGET"], output_sinks: [inner] } };
    expect(substituteTarget({ output_sinks: [inner, plain] }, target)).toEqual({
      spec: {
        output_sinks: [
          { ...inner, target },
          { type: "task", spec: { command: [target], output_sinks: [{ ...inner, target }] } },
        ],
      },
    });
  });

  it("without the word is refused, for its target would be used nowhere", () => {
    expect(substituteTarget({ command: ["TARGETURI"] }, target)).toMatchObject({
      code: "TEMPLATE_WITHOUT_TARGET",
    });
  });

  it("that grows beyond a spec is refused before it is built", () => {
    const template = { command: ["TARGET ".repeat(specBytesMax / 100)] };
    expect(substituteTarget(template, "x".repeat(1024))).toMatchObject({ code: "SPEC_TOO_LARGE" });
  });
});

describe("a task sink with a template", () => {
  const read = (sink: object) => readSpec({ image: "alpine", output_sinks: [{ type: "task", ...sink }] });

  it("is stored as the spec that it makes, and reads the same again", () => {
    const made = read({ template: { image: "alpine", command: ["ping", "TARGET"] }, target });
    expect(made).toEqual(read({ spec: { image: "alpine", command: ["ping", target] } }));
    if (isRefusal(made)) throw new Error(made.message);
    expect(readSpec(made.spec)).toEqual(made);
  });

  it.each<[string, object, string, string]>([
    ["neither spec nor template", {}, "SPEC_INVALID", "/spec"],
    ["both", { spec: { image: "a" }, template: { image: "TARGET" }, target }, "SPEC_INVALID", "/template"],
    ["no target", { template: { image: "TARGET" } }, "SPEC_INVALID", "/target"],
    ["a target and no template", { spec: { image: "a" }, target }, "SPEC_INVALID", "/target"],
    ["a target of two lines", { template: { image: "TARGET" }, target: "a\nb" }, "SPEC_INVALID", "/target"],
    ["no placeholder", { template: { image: "a" }, target }, "TEMPLATE_WITHOUT_TARGET", "/template"],
    [
      "a target that makes it bad",
      { template: { image: "TARGET" }, target: "A B" },
      "SPEC_INVALID",
      "/template/image",
    ],
  ])("is refused with %s, and the refusal points into the sink", (_, sink, code, pointer) => {
    expect(read(sink)).toMatchObject({ code, details: [{ pointer: `/output_sinks/0${pointer}` }] });
  });
});
