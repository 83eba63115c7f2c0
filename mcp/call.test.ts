import { describe, expect, it } from "vitest";
import { callOf, type Notice, tracedFetch, validTraceparent } from "./call.ts";

const clock = { now: () => 0, monotonicMs: () => 0 };
const signal = new AbortController().signal;
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("a call", () => {
  it("tells progress under the caller's token, and only to one that gave one", async () => {
    const sent: Notice[] = [];
    const notify = async (notice: Notice) => void sent.push(notice);
    await callOf({ signal, clock, notify, meta: { progressToken: 0 } }).progress?.({ progress: 1, total: 2 });
    expect(sent).toEqual([
      { method: "notifications/progress", params: { progressToken: 0, progress: 1, total: 2 } },
    ]);
    expect(callOf({ signal, clock, notify, meta: undefined }).progress).toBeNull();
  });

  it("goes on when its progress cannot be told any more", async () => {
    const notify = () => Promise.reject(new Error("closed"));
    await callOf({ signal, clock, notify, meta: { progressToken: "a" } }).progress?.({ progress: 1 });
  });

  it("passes a trace context on, and nothing that is none", async () => {
    expect(validTraceparent(traceparent)).toBe(traceparent);
    for (const wrong of [undefined, 7, "", `${traceparent}\r\nx: y`, traceparent.toUpperCase()]) {
      expect(validTraceparent(wrong)).toBeNull();
    }
    const seen: (string | null)[] = [];
    const inner = (async (_input, init) => {
      seen.push(new Headers(init?.headers).get("traceparent"), new Headers(init?.headers).get("a"));
      return new Response();
    }) as typeof fetch;
    await tracedFetch(inner, traceparent)("http://localhost", { headers: { a: "b" } });
    expect(seen).toEqual([traceparent, "b"]);
    expect(tracedFetch(inner, null)).toBe(inner);
  });
});
