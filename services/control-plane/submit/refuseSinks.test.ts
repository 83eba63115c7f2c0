import { describe, expect, it } from "vitest";
import { isRefusal } from "../../domain/refusal.ts";
import { readSpec } from "../../domain/spec/readSpec.ts";
import { refuseSinks, type SinkRules } from "./refuseSinks.ts";

const rules: SinkRules = {
  outbound: { allowPrivate: ["acme/127.0.0.1"], ports: [443] },
  files: false,
};
function refusalOf(tenant: string, ...output_sinks: unknown[]) {
  const written = { image: "alpine", output_sinks };
  const read = readSpec(written);
  if (isRefusal(read)) throw new Error(read.message);
  return refuseSinks(rules, tenant, { spec: read.spec, written });
}
const hook = (url: string) => ({ type: "webhook", url });

describe("sinks at submit", () => {
  it("may go to public addresses over https, and to private ones where the tenant may", () => {
    expect(
      refusalOf("default", hook("https://example.com/"), { type: "s3", bucket: "abc", connection: "aws" }),
    ).toBeNull();
    expect(refusalOf("acme", hook("http://127.0.0.1:9000/"))).toBeNull();
  });

  it("are refused with a pointer to each address that leads elsewhere", () => {
    const s3 = { type: "s3", bucket: "abc", connection: "aws", endpoint: "http://10.0.0.1/" };
    expect(refusalOf("default", hook("https://2130706433/"), hook("https://example.com/"), s3)).toMatchObject(
      {
        code: "SINK_TARGET_NOT_ALLOWED",
        details: [
          { pointer: "/output_sinks/0/url", message: expect.stringMatching(/leads to 127\.0\.0\.1/) },
          { pointer: "/output_sinks/2/endpoint", message: expect.stringMatching(/is not https/) },
        ],
      },
    );
  });

  it("are refused for a task that comes after as well", () => {
    const spec = { image: "alpine", output_sinks: [hook("https://[::1]/")] };
    expect(refusalOf("default", { type: "task", spec })).toMatchObject({
      details: [{ pointer: "/output_sinks/0/spec/output_sinks/0/url" }],
    });
  });

  it("are told by the field that the caller wrote, within a template as well", () => {
    const inner = { image: "alpine", output_sinks: [hook("https://[::1]/TARGET")] };
    const template = { image: "alpine", command: ["TARGET"], output_sinks: [{ type: "task", spec: inner }] };
    const sinks = [
      { type: "file" },
      { type: "task", target: "a", template: { ...inner, command: ["TARGET"] } },
      { type: "task", target: "a", template },
    ];
    expect(refusalOf("default", ...sinks.slice(1))).toMatchObject({
      details: [
        { pointer: "/output_sinks/0/template/output_sinks/0/url" },
        { pointer: "/output_sinks/1/template/output_sinks/0/spec/output_sinks/0/url" },
      ],
    });
    expect(refusalOf("default", ...sinks)).toMatchObject({
      code: "SINK_FILES_OFF",
      details: [{ pointer: "/output_sinks/0/type" }],
    });
  });

  it("are refused for a chain of more than eight tasks after the first, where the ninth is", () => {
    const chain = (tasks: number): object => ({
      image: "alpine",
      command: ["true"],
      output_sinks: tasks === 0 ? [] : [{ type: "task", spec: chain(tasks - 1) }],
    });
    expect(refusalOf("default", { type: "task", spec: chain(7) })).toBeNull();
    expect(refusalOf("default", { type: "task", spec: chain(8) })).toMatchObject({
      code: "SINK_CHAIN_TOO_LONG",
      details: [{ pointer: "/output_sinks/0/spec".repeat(9), message: expect.stringMatching(/may have 8/) }],
    });
  });

  it("are refused as files where there is no folder for them", () => {
    expect(refusalOf("default", { type: "file" })).toMatchObject({ code: "SINK_FILES_OFF" });
  });
});
