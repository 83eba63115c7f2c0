import { describe, expect, it } from "vitest";
import { isRefusal } from "../domain/refusal.ts";
import { readSpec } from "../domain/spec/readSpec.ts";
import { canonicalSpec } from "./canonicalSpec.ts";

function digestOf(input: unknown): string {
  const read = readSpec(input);
  if (isRefusal(read)) throw new Error(read.message);
  return canonicalSpec(read.spec).digest;
}

describe("canonicalSpec", () => {
  it("gives one digest to one intent, whatever the order of keys and the spelling of defaults and sizes", () => {
    const digest = digestOf({
      image: "alpine:3",
      environment: { A: "1", B: "2" },
      resources: { memory: "1Gi" },
    });
    expect(
      digestOf({
        priority: 0,
        resources: { pids: 256, memory: 1024 ** 3 },
        environment: { B: "2", A: "1" },
        script: null,
        image: "alpine:3",
      }),
    ).toBe(digest);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("gives another digest to another command", () => {
    expect(digestOf({ image: "a", command: ["x", "y"] })).not.toBe(
      digestOf({ image: "a", command: ["x y"] }),
    );
  });

  it("keeps the digest of a stored spec across versions of this code", () => {
    // A changed default or a new field changes this on purpose only: stored digests stay what they were, but
    // the same text submitted again counts as another intent.
    expect(digestOf({ image: "alpine:latest", command: ["sh", "-c", "echo hello from cazi"] })).toBe(
      "sha256:005aee8d6f5489b89f005a9e0e2038649ed299674807058b522b1b66522bc9b8",
    );
  });
});
