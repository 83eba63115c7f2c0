import { describe, expect, it } from "vitest";
import { startOtlpCollector, wayUp } from "../../../test/support/otlpCollector.ts";
import { openTracer } from "./openTracer.ts";
import { childSpan, noTracer } from "./tracer.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const unset = {
  otlpEndpoint: "",
  otlpTracesEndpoint: "",
  otlpHeaders: "",
  otelServiceName: "cazi",
  node: "n",
};
const open = (more: Partial<typeof unset>) => openTracer({ config: { ...unset, ...more } });

describe("a tracer", () => {
  it("is none without an endpoint: nothing is loaded, and a span has no context", async () => {
    const tracer = await open({});
    expect(tracer).toBe(noTracer);
    expect(tracer.startSpan("x", { parent: PARENT }).traceparent).toBeNull();
  });

  it("sends spans to the endpoint with its path added, or to the one for traces as it is", async () => {
    const collector = await startOtlpCollector();
    for (const where of [
      { otlpEndpoint: `${collector.url}/` },
      { otlpEndpoint: "http://127.0.0.1:9", otlpTracesEndpoint: `${collector.url}/v1/traces` },
    ]) {
      const tracer = await open(where);
      const outer = tracer.startSpan("outer", { parent: PARENT });
      childSpan(tracer, "inner", { parent: outer.traceparent }).end();
      outer.end(new Error("broken"));
      await tracer.stop();
    }
    const spans = collector.of(PARENT);
    expect(spans).toHaveLength(4);
    expect(wayUp(spans, "inner")).toEqual(["inner", "outer"]);
    await collector.stop();
  });

  it("does not record what the caller's trace says not to, and passes that on", async () => {
    const tracer = await open({ otlpEndpoint: "http://127.0.0.1:9" });
    const span = tracer.startSpan("x", { parent: PARENT.replace(/01$/, "00") });
    expect(span.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
    span.end();
    await tracer.stop();
  });

  it("whose endpoint is down holds nothing up, and ends within its bound", async () => {
    const tracer = await open({ otlpEndpoint: "http://127.0.0.1:9" });
    for (let i = 0; i < 10_000; i++) tracer.startSpan("x", { parent: PARENT }).end();
    const began = performance.now();
    await tracer.stop();
    expect(performance.now() - began).toBeLessThan(4_000);
  });
});
