import { describe, expect, it } from "vitest";
import { isRefusal } from "../refusal.ts";
import { sinkId } from "../sinks/sinkId.ts";
import { fillTemplate } from "../sinks/template.ts";
import { sinkFields } from "./outputSinks.ts";
import { readSpec } from "./readSpec.ts";

const read = (...output_sinks: unknown[]) => readSpec({ image: "alpine:latest", output_sinks });
function sinksOf(...output_sinks: unknown[]) {
  const done = read(...output_sinks);
  if (isRefusal(done)) throw new Error(done.message);
  return done.spec.output_sinks;
}
function detailsOf(...output_sinks: unknown[]) {
  const refusal = read(...output_sinks);
  if (!isRefusal(refusal)) throw new Error("was accepted");
  return refusal.details?.map((one) => `${one.pointer} ${one.message}`);
}

const s3 = { type: "s3", bucket: "results", connection: "aws" };
const hook = { type: "webhook", url: "https://example.com/hook" };

describe("output sinks", () => {
  it("have every default written out, and an address as it is really called", () => {
    expect(sinksOf({ ...hook, url: "HTTPS://127.1/a b" }, s3, { type: "file" })).toEqual([
      {
        type: "webhook",
        name: null,
        on: ["succeeded", "failed", "cancelled"],
        url: "https://127.0.0.1/a%20b",
        connection: null,
        include_output: true,
      },
      {
        type: "s3",
        name: null,
        on: ["succeeded", "failed", "cancelled"],
        endpoint: null,
        region: "us-east-1",
        bucket: "results",
        key: "{tenant}/{task}/{sink}.{content}",
        connection: "aws",
        content: "stdout",
      },
      {
        type: "file",
        name: null,
        on: ["succeeded", "failed", "cancelled"],
        file_name: "{sink}.{content}",
        content: "stdout",
      },
    ]);
  });

  it("are told by their name, or else by place and type", () => {
    expect(sinksOf(hook, { ...s3, name: "archive" }).map(sinkId)).toEqual(["0-webhook", "archive"]);
    expect(detailsOf({ ...hook, name: "1-s3" }, s3)).toEqual([
      "/output_sinks/1/name is the name of an earlier sink too",
    ]);
  });

  it("name the nearest field of their type, and the types there are", () => {
    expect(detailsOf({ ...hook, conection: "x" })).toEqual([
      "/output_sinks/0/conection is not a known field; did you mean connection?",
    ]);
    expect(detailsOf({ ...hook, bucket: "x" })![0]).toMatch(
      /bucket is not a known field; known are type, name, on, url/,
    );
    expect(detailsOf({ type: "mail" })).toEqual([
      "/output_sinks/0/type must have a type: one of webhook, s3, file, task",
    ]);
    expect(sinkFields("mail")).toEqual([]);
  });

  it.each([
    ["no address", { ...hook, url: "example.com" }, /such as https/],
    ["another scheme", { ...hook, url: "ftp://example.com" }, /begin with https/],
    ["a password in the address", { ...hook, url: "https://me:secret@example.com" }, /use a connection/],
    ["a fragment", { ...hook, url: "https://example.com/#x" }, /after '#'/],
    ["no end to fire at", { ...hook, on: [] }, /at least 1 items/],
    ["an end twice", { ...hook, on: ["failed", "failed"] }, /given twice/],
    ["a secret in the spec", { ...s3, secret_access_key: "x" }, /not a known field/],
    ["no keys", { type: "s3", bucket: "results" }, /connection is missing/],
    ["a way out of the folder", { type: "file", file_name: "../x" }, /without '\/'/],
    ["a hidden way up", { ...s3, key: "a/../b" }, /no empty part/],
    ["a placeholder that there is not", { ...s3, key: "{host}/x" }, /unknown placeholder \{host\}/],
    ["half a placeholder", { ...s3, key: "{task/x" }, /may hold letters/],
  ])("refuse %s", (_, sink, message) => {
    expect(detailsOf(sink)?.[0]).toMatch(message);
  });

  it("refuse two files of one name", () => {
    const file = { type: "file", file_name: "out.txt" };
    expect(detailsOf(file, { ...file, on: ["failed"] })).toEqual([
      "/output_sinks/1/file_name is the file of an earlier sink too",
    ]);
    expect(
      sinksOf({ ...file, file_name: "{content}" }, { ...file, file_name: "{content}", content: "stderr" }),
    ).toHaveLength(2);
  });

  it("hold the spec of a downstream task whole, and say where in it a fault is", () => {
    const [sink] = sinksOf({ type: "task", spec: { image: "alpine" } });
    expect(sink).toMatchObject({ spec: { image: "alpine", timeout_seconds: 3600, output_sinks: [] } });
    expect(detailsOf({ type: "task", spec: { image: "alpine", comand: [] } })).toEqual([
      "/output_sinks/0/spec/comand is not a known field; did you mean command?",
    ]);
    let nested: unknown = { image: "alpine" };
    for (let level = 0; level < 12; level++)
      nested = { image: "alpine", output_sinks: [{ type: "task", spec: nested }] };
    expect(readSpec(nested)).toMatchObject({ code: "SPEC_TOO_DEEP" });
  });
});

describe("a template", () => {
  const values = {
    tenant: "acme",
    task: "01abc",
    status: "failed",
    attempt: "2",
    date: "2026-11-30",
    sink: "0-s3",
    content: "stdout",
  };

  it("is filled with plain names alone", () => {
    expect(fillTemplate("{tenant}/{date}/{task}.{attempt}", values)).toBe("acme/2026-11-30/01abc.2");
    expect(() => fillTemplate("{task}", { ...values, task: "../x" })).toThrow("no plain name");
  });
});
