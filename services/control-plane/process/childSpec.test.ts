import { describe, expect, it } from "vitest";
import { CaziError } from "../../kernel/errors.ts";
import { childSpec } from "./childSpec.ts";

const limits = { timeout_ms: 60_000, max_retries: 0, ttl_ms: null, start_within_ms: null, sinks: 0 };
const parent = { image: "alpine:3", priority: 7, ttl_seconds: 3_600 };
const at = (started_at: number | null, now: number, command = ["make", "x"]) =>
  childSpec({ parent, state: { started_at, limits }, command, now }).spec;

describe("what a command of a script runs as", () => {
  it("is its argv in the script's image, with no network and nothing of its parent's", () => {
    expect(at(0, 0)).toMatchObject({
      image: "alpine:3",
      command: ["make", "x"],
      network: "none",
      priority: 7,
      ttl_seconds: 3_600,
      max_retries: 0,
      connections: [],
      environment: {},
      mounts: [],
      output_sinks: [],
    });
  });

  it.each([
    ["all of its parent's time before the start is known", null, 5_000, 60],
    ["what is left of it", 10_000, 29_500, 41],
    ["a second where nothing is left", 10_000, 90_000, 1],
    ["all of it where a node's clock is ahead", 10_000, 5_000, 60],
  ])("starts and runs within %s", (_what, startedAt, now, seconds) => {
    expect(at(startedAt, now)).toMatchObject({ timeout_seconds: seconds, start_within_seconds: seconds });
  });

  it("is refused with the spec's own rules, such as NUL in an argument", () => {
    expect(() => at(0, 0, ["a\0b"])).toThrow(CaziError);
  });
});
