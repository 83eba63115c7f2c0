import { describe, expect, it } from "vitest";
import type { PullFacts } from "../../../schemas/messages/node.ts";
import { PULL_NOTICES_MAX } from "../../domain/task/decideReport.ts";
import { pullNewsSpacingMs } from "../limits.ts";
import type { PullState } from "../ports.ts";
import { PullNews } from "./pullNews.ts";

const begun: PullState = {
  ref: "alpine:3.20",
  tries: 1,
  started_at: 1,
  layers_done: 0,
  layers_total: 0,
  bytes_done: 0,
  bytes_total: 0,
  last_error: null,
  retry_at: null,
  finished_at: null,
};

function given(known: PullFacts | null = null) {
  let nowMs = 0;
  const reported: PullFacts[] = [];
  let facts: PullFacts | null = null;
  const news = new PullNews({
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => nowMs },
    known,
    onFacts: (newest) => {
      facts = newest;
    },
    onNews: () => reported.push(facts!),
  });
  return { news, reported, pass: (ms: number) => (nowMs += ms), newest: () => facts };
}

describe("news of a pull", () => {
  it("is its start, each failed try and its end, each with a number above the one before", () => {
    const { news, reported } = given();
    news.tell(begun, "begun");
    news.tell({ ...begun, last_error: "429", retry_at: 5 }, "failed");
    news.finish();
    expect(reported.map((one) => one.notice)).toEqual([1, 2, 3]);
    expect(reported.at(-1)).toMatchObject({
      last_error: "429",
      retry_at: null,
      finished_at: 1_700_000_000_000,
    });
  });

  it("is progress at most every ten seconds, and what is reported next holds the newest all the same", () => {
    const { news, reported, pass, newest } = given();
    news.tell(begun, "begun");
    for (let done = 1; done <= 100; done++) {
      pass(pullNewsSpacingMs / 20);
      news.tell({ ...begun, bytes_done: done }, "progress");
    }
    expect(reported.map((one) => one.bytes_done)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(newest()).toMatchObject({ bytes_done: 100 });
  });

  it("is bounded over a pull that never ends, below what the record takes", () => {
    const { news, reported, pass } = given();
    news.tell(begun, "begun");
    for (let done = 0; done < 1_000; done++) {
      pass(pullNewsSpacingMs);
      news.tell({ ...begun, bytes_done: done }, "progress");
      news.tell({ ...begun, last_error: "reset" }, "failed");
    }
    news.finish();
    expect(reported.at(-1)?.notice).toBeLessThanOrEqual(PULL_NOTICES_MAX);
  });

  it("goes on above what the record has when the agent starts again", () => {
    const { news, reported } = given({ ...begun, notice: 7 });
    news.tell(begun, "begun");
    expect(reported.map((one) => one.notice)).toEqual([8]);
  });

  it("is none where nothing is pulled", () => {
    const { news, reported, newest } = given();
    news.finish();
    expect([reported, newest()]).toEqual([[], null]);
  });
});
