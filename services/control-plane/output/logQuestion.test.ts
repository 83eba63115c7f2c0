import { describe, expect, it } from "vitest";
import { taskLogsQuery } from "../../../schemas/api/logEntry.ts";
import { logQuestion } from "./logQuestion.ts";

const now = Date.parse("2026-01-01T12:00:00Z");
const ask = (query: object) => logQuestion(taskLogsQuery.parse(query), now);

describe("a question about output", () => {
  it("reads times and how long ago, and takes tail together with since", () => {
    expect(ask({ since: "10m", until: "2026-01-01T12:59:00+01:00" }).wanted).toMatchObject({
      sinceMs: now - 600_000,
      untilMs: now - 60_000,
    });
    expect(ask({ tail: "3", since: "1d" })).toMatchObject({ tail: 3, wanted: { sinceMs: now - 86_400_000 } });
  });

  it.each([
    ["/tail", { after: "1.0.0", tail: 1 }],
    ["/since", { after: "1.0.0", since: "1m" }],
    ["/offset", { after: "1.0.0", offset: 1, stream: "stdout" }],
    ["/tail", { offset: 1, stream: "stdout", tail: 1 }],
    ["/since", { offset: 1, stream: "stdout", since: "1m" }],
    ["/offset", { offset: 1 }],
    ["/ignore_case", { ignore_case: true }],
    ["/until", { until: "1m", tail: 1 }],
    ["/until", { until: "1m", follow: true }],
    ["/until", { until: "2m", since: "1m" }],
  ])("refuses at %s what does not go together: %o", (pointer, query) => {
    expect(() => ask(query)).toThrow(
      expect.objectContaining({
        code: "REQUEST_INVALID",
        details: [{ pointer, message: expect.any(String) as string }],
      }) as Error,
    );
  });

  it.each([
    { since: "yesterday" },
    { until: "10" },
    { grep: "" },
    { grep: "a\nb" },
    { offset: -1 },
    { regex: "a" },
  ])("takes no %o", (query) => {
    expect(taskLogsQuery.safeParse(query).success).toBe(false);
  });

  it("begins where a follower was, whatever else was asked for", () => {
    const resumed = { attempt: 2, stdout: 5, stderr: 0 };
    const query = taskLogsQuery.parse({ tail: 5, since: "1m", grep: "a", follow: true });
    expect(logQuestion(query, now, resumed)).toMatchObject({
      after: resumed,
      tail: null,
      wanted: { sinceMs: null, grep: "a" },
    });
  });
});
