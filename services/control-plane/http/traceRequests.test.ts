import { afterEach, describe, expect, it } from "vitest";
import type { Span, SpanOptions, Tracer } from "../../kernel/tracing/tracer.ts";
import { type ApiFixture, apiFixture, testTraceparent } from "../testing/apiFixture.ts";

const GIVEN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OWN = "00-0af7651916cd43dd8448eb211c80319c-aaaaaaaaaaaaaaaa-01";
const spec = JSON.stringify({ image: "cazi/toolbox", command: ["true"] });
const headers = { "content-type": "application/json" };

let api: ApiFixture;
afterEach(() => api.app.close());

describe("the traceparent of a submit", () => {
  it("is recorded in its first event and shown with the task, its tracestate too", async () => {
    api = await apiFixture();
    const traced = { ...headers, traceparent: GIVEN, tracestate: "rojo=1" };
    const { json } = await api.ask("POST", "/v1/tasks", { headers: traced, body: spec });
    expect(json.traceparent).toBe(GIVEN);
    const [first] = api.ledger.events;
    expect(first).toMatchObject({ traceparent: GIVEN, body: { traceparent: GIVEN, tracestate: "rojo=1" } });
    await api.run(json.id);
    expect(api.ledger.events.map((event) => event.traceparent)).toEqual(api.ledger.events.map(() => GIVEN));
  });

  it.each([[undefined], ["nonsense"], [`${GIVEN}-more`], [GIVEN.toUpperCase()]])(
    "that is absent or malformed (%s) is a new trace, made by the control plane, and never an error",
    async (traceparent) => {
      api = await apiFixture();
      const traced = traceparent === undefined ? headers : { ...headers, traceparent, tracestate: "rojo=1" };
      const { status, json } = await api.ask("POST", "/v1/tasks", { headers: traced, body: spec });
      expect([status, json.traceparent]).toEqual([202, testTraceparent]);
      expect(api.ledger.events[0]?.body).toMatchObject({ tracestate: null });
    },
  );

  it("is a replay's own, and a repeat of a key keeps the first", async () => {
    api = await apiFixture();
    const keyed = { ...headers, "idempotency-key": "k", traceparent: GIVEN };
    const { json } = await api.ask("POST", "/v1/tasks", { headers: keyed, body: spec });
    const again = await api.ask("POST", "/v1/tasks", {
      headers: { ...keyed, traceparent: OWN },
      body: spec,
    });
    expect(again.json).toMatchObject({ id: json.id, traceparent: GIVEN });
    await api.run(json.id);
    const replayed = await api.ask("POST", `/v1/tasks/${json.id}/replay`, { headers: { traceparent: OWN } });
    expect(replayed.json.traceparent).toBe(OWN);
  });
});

describe("requests under a tracer", () => {
  it("are spans of the caller's trace, named by their route, and what they cause belongs to them", async () => {
    const { tracer, spans } = recordingTracer();
    api = await apiFixture({ tracer });
    const { json } = await api.ask("POST", "/v1/tasks", {
      headers: { ...headers, traceparent: GIVEN },
      body: spec,
    });
    expect(json.traceparent).toBe(OWN);
    await api.ask("GET", "/v1/tasks/0000000000000000000000000a");
    await api.ask("GET", "/healthz");
    await api.ask("GET", "/nothing/here");
    expect(spans).toMatchObject([
      { name: "POST /v1/tasks", parent: GIVEN, attributes: { "http.response.status_code": 202 }, ends: 1 },
      { name: "GET /v1/tasks/:id", parent: null, attributes: { "http.response.status_code": 404 }, ends: 1 },
    ]);
  });
});

function recordingTracer() {
  const spans: { name: string; parent: string | null; attributes: object; ends: number }[] = [];
  const startSpan = (name: string, { parent, attributes = {} }: SpanOptions): Span => {
    const one = { name, parent, attributes: { ...attributes }, ends: 0 };
    spans.push(one);
    return { traceparent: OWN, set: (more) => Object.assign(one.attributes, more), end: () => one.ends++ };
  };
  const tracer: Tracer = { on: true, startSpan, stop: async () => undefined };
  return { tracer, spans };
}
