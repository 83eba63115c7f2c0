import { PassThrough } from "node:stream";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { figureOf, parsePrometheus } from "../../../test/support/parsePrometheus.ts";
import { systemClock } from "../../kernel/clock.ts";
import { openMetrics } from "../../kernel/metrics/openMetrics.ts";
import { measureRequests } from "../http/measureRequests.ts";
import { apiFixture, testToken } from "../testing/apiFixture.ts";
import { metricsAccess } from "./metricsRoute.ts";

const hello = JSON.stringify({ image: "cazi/toolbox:latest", command: ["true"] });
const json = { "content-type": "application/json" };

async function measured(access: "open" | "token" | "off" = "open") {
  const metrics = await openMetrics({ clock: systemClock });
  return { metrics, ...(await apiFixture({ metrics: { ...metrics, access } })) };
}
const requests = "cazi_http_request_seconds_count";

describe("/metrics", () => {
  it("asks for a token where others than this machine reach the API, unless it is opened", () => {
    expect(metricsAccess("auto", true)).toBe("open");
    expect(metricsAccess("auto", false)).toBe("token");
    expect(metricsAccess("open", false)).toBe("open");
    expect(metricsAccess("off", true)).toBe("off");
  });

  it("is open, closed or not there as it is set", async () => {
    const headers = { host: "localhost" };
    const open = await (await measured("open")).app.inject({ url: "/metrics", headers });
    expect([open.statusCode, open.headers["content-type"]]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    const { app } = await measured("token");
    expect((await app.inject({ url: "/metrics", headers })).json()).toMatchObject({
      code: "UNAUTHENTICATED",
    });
    const authorization = `Bearer ${testToken}`;
    expect((await app.inject({ url: "/metrics", headers: { ...headers, authorization } })).statusCode).toBe(
      200,
    );
    expect((await (await measured("off")).app.inject({ url: "/metrics", headers })).statusCode).toBe(404);
    const foreign = await (await measured("open")).app.inject({
      url: "/metrics",
      headers: { host: "evil.example" },
    });
    expect(foreign.statusCode).toBe(403);
  });

  it("counts submits and answers by route template and status, never by an id or by text of a client", async () => {
    const { ask, app, metrics } = await measured();
    const { json: task } = await ask("POST", "/v1/tasks", { body: hello, headers: json });
    await ask("POST", "/v1/tasks", { body: "{", headers: json });
    await ask("GET", `/v1/tasks/${task.id}`);
    await ask("GET", "/v1/tasks/not-there");
    await ask("GET", "/secret-probe-of-a-client");
    await app.inject({ url: "/v1/tasks", headers: { host: "localhost" } });
    const text = await metrics.text();
    const figures = parsePrometheus(text);
    const count = (method: string, route: string, status: string) =>
      figureOf(figures, requests, { method, route, status });
    expect(count("POST", "/v1/tasks", "202")).toBe(1);
    expect(count("POST", "/v1/tasks", "400")).toBe(1);
    expect(count("GET", "/v1/tasks/:id", "200")).toBe(1);
    expect(count("GET", "/v1/tasks/:id", "404")).toBe(1);
    expect(count("GET", "unmatched", "404")).toBe(1);
    expect(count("GET", "/v1/tasks", "401")).toBe(1);
    for (const leak of [task.id, "secret-probe", "acme", "toolbox", "not-there"])
      expect(text).not.toContain(leak);
  });

  it("measures an answer that is a stream to its first byte, not to its end", async () => {
    const metrics = await openMetrics({ clock: systemClock });
    const app = fastify();
    measureRequests(app, metrics);
    const body = new PassThrough();
    app.get("/followed", (_request, reply) => {
      setTimeout(() => body.end("end"), 500);
      return reply.send(body);
    });
    const begun = performance.now();
    expect((await app.inject("/followed")).body).toBe("end");
    const wholeMs = performance.now() - begun;
    const labels = { method: "GET", route: "/followed", status: "200" };
    const figures = parsePrometheus(await metrics.text());
    expect(figureOf(figures, requests, labels)).toBe(1);
    // The stream's own half second is not in it, however slow the machine is.
    const measuredMs = figureOf(figures, "cazi_http_request_seconds_sum", labels)! * 1000;
    expect(wholeMs - measuredMs).toBeGreaterThan(400);
  });
});
