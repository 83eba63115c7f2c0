import { describe, expect, it } from "vitest";
import { parseExecutionSpec } from "../executionSpec.ts";
import { withTraceEnvironment } from "./traceEnvironment.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const own = "00-22222222222222222222222222222222-b7ad6b7169203331-01";
const environment = (given: Record<string, string>, tracestate: string | null = null) =>
  withTraceEnvironment(parseExecutionSpec(JSON.stringify({ environment: given })), {
    traceparent,
    tracestate,
  }).environment;

describe("a container's environment", () => {
  it("has TRACEPARENT, and TRACESTATE where one was given", () => {
    expect(environment({ A: "1" })).toEqual({ A: "1", TRACEPARENT: traceparent });
    expect(environment({}, "rojo=1")).toEqual({ TRACEPARENT: traceparent, TRACESTATE: "rojo=1" });
  });

  it("keeps the trace that the spec sets itself", () => {
    expect(environment({ TRACEPARENT: own }, "rojo=1")).toEqual({ TRACEPARENT: own });
    expect(environment({ TRACESTATE: "own=1" }, "rojo=1")).toMatchObject({ TRACESTATE: "own=1" });
  });

  it("has none for a task from before traces were known", () => {
    const spec = parseExecutionSpec("{}");
    expect(withTraceEnvironment(spec, { traceparent: null, tracestate: null })).toBe(spec);
  });
});
