import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./askRetryAfter.ts";
import { pullDelayMs } from "./pullBackoff.ts";
import { pullFailureOf } from "./pullFailure.ts";
import { afterLine, noProgress, sumOf } from "./pullProgress.ts";

describe("what an engine says about a failed pull", () => {
  it.each([
    ["throttled", "toomanyrequests: You have reached your pull rate limit."],
    ["throttled", 'error parsing HTTP 429 response body: invalid character: "Too Many Requests"'],
    [
      "throttled",
      "unexpected status from HEAD request to https://r.io/v2/a/manifests/1: 429 Too Many Requests",
    ],
    ["denied", "pull access denied for a/b, repository does not exist or may require 'docker login': denied"],
    ["denied", "unauthorized"],
    ["denied", "failed to authorize: failed to fetch anonymous token: unexpected status: 403 Forbidden"],
    ["missing", "manifest unknown"],
    ["missing", "manifest for alpine:none not found: manifest unknown: manifest unknown"],
    ["missing", 'error parsing HTTP 404 response body: invalid character: "nope"'],
    ["unusable", "no matching manifest for linux/arm64/v8 in the manifest list entries"],
    ["unknown_host", "dial tcp: lookup no-such.invalid on 10.0.0.2:53: no such host"],
    ["failed", 'Get "http://127.0.0.1:9/v2/": dial tcp 127.0.0.1:9: connect: connection refused'],
    ["failed", 'Get "https://denied.example/v2/": dial tcp 10.0.0.1:443: i/o timeout'],
    ["failed", "received unexpected HTTP status: 503 Service Unavailable"],
    ["failed", "unexpected EOF"],
  ])("is %s: %s", (failure, message) => {
    expect(pullFailureOf(message, 500)).toBe(failure);
  });

  it("is read from the status where the sentence says nothing", () => {
    expect([404, 400, 500, null].map((status) => pullFailureOf("?", status))).toEqual([
      "missing",
      "unusable",
      "failed",
      "failed",
    ]);
  });
});

describe("the back-off of a pull", () => {
  const delay = (of: Partial<Parameters<typeof pullDelayMs>[0]>) =>
    pullDelayMs({ failure: "failed", tries: 1, retryAfterMs: null, jitter: 0, ...of });

  it("doubles from a second to a minute, spread over its upper half", () => {
    expect([1, 2, 3, 4, 7, 50].map((tries) => delay({ tries }))).toEqual([
      500, 1000, 2000, 4000, 30_000, 30_000,
    ]);
    expect(delay({ tries: 50, jitter: 1 })).toBe(60_000);
  });

  it("waits what the registry asked for, and hardly more", () => {
    expect(delay({ failure: "throttled", retryAfterMs: 7_000 })).toBe(7_000);
    expect(delay({ failure: "throttled", retryAfterMs: 7_000, jitter: 1 })).toBe(7_700);
    expect(delay({ failure: "throttled", retryAfterMs: 0 })).toBe(1_000);
    expect(delay({ failure: "throttled" })).toBe(2_500);
  });

  it("is none where trying again cannot help, and short for a host that has no name", () => {
    expect((["denied", "missing", "unusable"] as const).map((failure) => delay({ failure }))).toEqual([
      null,
      null,
      null,
    ]);
    expect([1, 2, 3].map((tries) => delay({ failure: "unknown_host", tries }))).toEqual([500, 1000, null]);
  });
});

describe("Retry-After", () => {
  it.each([
    ["7", 7_000],
    ["0", 0],
    ["Wed, 21 Oct 2026 07:28:30 GMT", 30_000],
    ["Wed, 21 Oct 2026 07:27:00 GMT", null],
    ["soon", null],
    ["999999999", 86_400_000],
  ])("of %s is %s ms by the answer's own date", (text, ms) => {
    expect(retryAfterMs(text, "Wed, 21 Oct 2026 07:28:00 GMT")).toBe(ms);
  });
});

describe("the progress of a pull", () => {
  const lines = [
    '{"status":"Pulling from library/alpine","id":"3.20"}',
    '{"status":"Pulling fs layer","progressDetail":{},"id":"a"}',
    '{"status":"Already exists","progressDetail":{},"id":"b"}',
    '{"status":"Downloading","progressDetail":{"current":3,"total":10},"progress":"[=>  ]","id":"a"}',
    "no json",
    "17",
    '{"status":"Downloading","progressDetail":{"current":7,"total":10},"id":"a"}',
  ];

  it("counts layers and bytes as far as the engine has told them", () => {
    const half = lines.reduce(afterLine, noProgress);
    expect(sumOf(half)).toEqual({ layers_done: 1, layers_total: 2, bytes_done: 7, bytes_total: 10 });
    const whole = ["Download complete", "Extracting", "Pull complete"].reduce(
      (progress, status) =>
        afterLine(progress, JSON.stringify({ status, progressDetail: { current: 99 }, id: "a" })),
      half,
    );
    expect(sumOf(whole)).toEqual({ layers_done: 2, layers_total: 2, bytes_done: 10, bytes_total: 10 });
  });

  it("keeps the engine's error", () => {
    expect(afterLine(noProgress, '{"errorDetail":{},"error":"unexpected EOF"}').error).toBe("unexpected EOF");
  });
});
