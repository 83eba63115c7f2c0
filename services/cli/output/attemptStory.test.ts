import { expect, it } from "vitest";
import { attemptStory } from "./attemptStory.ts";

const attempt = {
  node: "n1",
  reason: null,
  message: null,
  exit_code: null,
  uses_retry: false,
  started_at: null,
  finished_at: null,
};
const times = { started_at: "2026-11-30T12:00:00.000Z", finished_at: "2026-11-30T12:00:01.500Z" };
const task = {
  id: "t",
  spec: { max_retries: 2 },
  reason: null,
  message: null,
  exit_code: null,
  not_before: null,
};

it("says of what was lost that a retry would have gone on", () => {
  const lost = { ...attempt, attempt: 1, ended_by: "failed", reason: "container_lost" };
  const story = (max_retries: number) =>
    attemptStory({
      ...task,
      spec: { max_retries },
      status: "failed",
      reason: "container_lost",
      attempt: 1,
      attempts: [lost],
    } as never);
  expect(story(0)).toContain("with max_retries in its spec another attempt would have been made\n");
  expect(story(1)).not.toContain("max_retries");
});

it("tells what became of each attempt", () => {
  const attempts = [
    { ...attempt, attempt: 1, ended_by: "returned", reason: "declined", message: "full" },
    { ...attempt, attempt: 2, ended_by: "retrying", reason: "image_pull", message: "no route" },
    {
      ...attempt,
      ...times,
      attempt: 3,
      ended_by: "retrying",
      reason: "exit",
      exit_code: 7,
      uses_retry: true,
    },
    { ...attempt, ...times, attempt: 4, ended_by: "succeeded" },
  ];
  expect(attemptStory({ ...task, status: "succeeded", attempt: 4, attempts } as never)).toBe(
    [
      "task t is succeeded",
      "attempt 1 on n1 was given back: declined: full; that costs nothing",
      "attempt 2 on n1 ended: image_pull: no route; nothing ran, so it used no retry",
      "attempt 3 on n1 ended after 1.5 s: exit (exit code 7); it used one of 2 retries",
      "attempt 4 on n1 succeeded after 1.5 s",
      "",
    ].join("\n"),
  );
});

it("says what a task without an attempt under way waits for", () => {
  const waits = {
    ...task,
    status: "pending",
    attempt: 0,
    attempts: [],
    pending_reason: { message: "no slot" },
  };
  expect(attemptStory(waits as never)).toBe("task t is pending\nit waits: no slot\n");
  const again = { ...waits, attempt: 12, not_before: "2026-11-30T12:00:00.000Z" };
  expect(
    attemptStory({ ...again, attempts: [{ ...attempt, attempt: 12, ended_by: null }] } as never),
  ).toContain("11 earlier attempts are not shown here");
});
