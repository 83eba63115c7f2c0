import { expect, it } from "vitest";
import { parseExecutionSpec } from "./executionSpec.ts";

it("fills in what an older spec does not name", () => {
  const spec = parseExecutionSpec('{"image":"alpine:3.20"}');
  expect(spec).toMatchObject({
    image: "alpine:3.20",
    command: [],
    network: "bridge",
    pull_policy: "if_not_present",
    resources: { cpus: 1, memory: 536_870_912, pids: 256 },
    max_output_bytes: 16_777_216,
  });
});

it("ignores what a newer spec adds", () => {
  expect(parseExecutionSpec('{"image":"a","added_later":true}').image).toBe("a");
});

it("says which field it does not understand", () => {
  expect(() => parseExecutionSpec('{"image":"a","mounts":[{"source":1}]}')).toThrow(/mounts\.0\.source/);
  expect(() => parseExecutionSpec("{")).toThrow(/not JSON/);
});
