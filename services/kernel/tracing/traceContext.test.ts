import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newTraceparent, traceContextOf, traceIdOf, validTraceparent } from "./traceContext.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const GOOD = `00-${TRACE}-${SPAN}-01`;

describe("traceparent", () => {
  it.each([
    ["version 00", GOOD, GOOD],
    ["a trace that is not sampled", `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    ["a later version with more after it", `cc-${TRACE}-${SPAN}-01-what-the-future`, GOOD],
    ["a later version with nothing more", `cc-${TRACE}-${SPAN}-01`, GOOD],
  ])("is taken in %s", (_what, given, taken) => {
    expect(validTraceparent(given)).toBe(taken);
  });

  it.each([
    ["the invalid version", `ff-${TRACE}-${SPAN}-01`],
    ["version 00 with more after it", `${GOOD}-more`],
    ["a later version with more that is not parted", `cc-${TRACE}-${SPAN}-01.more`],
    ["capitals", GOOD.toUpperCase()],
    ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["a short trace", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["line breaks", `${GOOD}\r\nx: y`],
    ["two of them", [GOOD, GOOD]],
    ["nothing", undefined],
    ["an empty text", ""],
  ])("that is malformed is ignored, not an error: %s", (_what, given) => {
    expect(validTraceparent(given)).toBeNull();
    expect(traceContextOf({ traceparent: given, tracestate: "a=b" })).toEqual({
      traceparent: null,
      tracestate: null,
    });
  });

  it("is made new, a different one each time, and valid", () => {
    const made = newTraceparent(randomBytes);
    expect(validTraceparent(made)).toBe(made);
    expect(traceIdOf(newTraceparent(randomBytes))).not.toBe(traceIdOf(made));
  });
});

describe("tracestate", () => {
  it.each([
    ["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"],
    [" a=1 ,, b@c=2\t", "a=1,b@c=2"],
    ["", null],
    ["a=1,a=2", null],
    ["A=1", null],
    ["no equals", null],
    ["a=b=c", null],
    ["a=\u00e9", null],
    ["a=1\r\nx", null],
    [Array.from({ length: 33 }, (_, i) => `k${i}=v`).join(","), null],
    [`a=${"x".repeat(256)},b=${"x".repeat(256)}`, null],
  ])("of %j is passed on as %j", (given, taken) => {
    expect(traceContextOf({ traceparent: GOOD, tracestate: given }).tracestate).toBe(taken);
  });
});
