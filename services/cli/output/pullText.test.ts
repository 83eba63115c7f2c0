import { describe, expect, it } from "vitest";
import { pullText } from "./pullText.ts";

const pull = {
  ref: "alpine:3.19",
  tries: 1,
  started_at: "2026-11-29T10:00:00.000Z",
  layers_done: 0,
  layers_total: 0,
  bytes_done: 0,
  bytes_total: 0,
  last_error: null,
  retry_at: null,
  finished_at: null,
};
const half = { bytes_done: 11_500_000, bytes_total: 30_000_000 };
const limited = { tries: 2, last_error: "toomanyrequests", retry_at: "2026-11-29T10:00:30.000Z" };

describe("a pull in words", () => {
  it.each([
    ["pulling alpine:3.19", {}],
    ["pulling alpine:3.19, 12 of 30 MB", half],
    ["pulling alpine:3.19, 12 of 30 MB, try 2", { ...half, tries: 2, last_error: "reset" }],
    ["pulling alpine:3.19, 1 of 800 kB", { bytes_done: 10, bytes_total: 800_000 }],
    ["pulling alpine:3.19: try 2 failed (toomanyrequests), the next is at 2026-11-29T10:00:30.000Z", limited],
    ["pulled alpine:3.19, 30 MB", { ...half, finished_at: "2026-11-29T10:00:31.000Z" }],
  ])("is %s", (text, facts) => {
    expect(pullText({ ...pull, ...facts })).toBe(text);
  });
});
