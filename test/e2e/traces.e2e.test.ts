/** One trace from an agent's call to the container's environment, and a pull that a person can watch. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { traceIdOf } from "../../services/kernel/tracing/traceContext.ts";
import { openDockerClient } from "../../services/node-agent/runtimes/docker/dockerClient.ts";
import { type OtlpCollector, startOtlpCollector, wayUp } from "../support/otlpCollector.ts";
import { makeProduct, type Product } from "../support/product.ts";
import { pushImage } from "../support/registryImages.ts";
import { startRegistryProxy } from "../support/registryProxy.ts";
import { waitFor } from "../support/waitFor.ts";
import { hasRegistry, withRegistry } from "../support/withRegistry.ts";

const CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const IMAGE = "cazi/toolbox:latest";

let collector: OtlpCollector;
let product: Product & { remove(): Promise<void> };

beforeAll(async () => {
  collector = await startOtlpCollector();
  product = makeProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await product.start();
});
afterAll(async () => {
  await product?.remove();
  await collector?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
const json = async (answer: Response): Promise<any> => answer.json();

async function request(path: string, options: { body?: object; headers?: Record<string, string> } = {}) {
  const answer = await fetch(`${product.url}${path}`, {
    method: options.body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${product.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  return answer;
}

const ended = async (id: string) => json(await request(`/v1/tasks/${id}?wait=50`));
const stdoutOf = async (id: string) => (await request(`/v1/tasks/${id}/output/raw`)).text();
const eventsOf = async (id: string) => (await json(await request(`/v1/tasks/${id}/events`))).data;

describe("traces", () => {
  it("of one task are one connected trace from the API to the container, with the same id in its events", async () => {
    const spec = { image: IMAGE, command: ["sh", "-c", "echo $TRACEPARENT $TRACESTATE"] };
    const made = await request("/v1/tasks", {
      body: spec,
      headers: { traceparent: CALLER, tracestate: "rojo=1" },
    });
    const { id } = await json(made);
    expect(await ended(id)).toMatchObject({ status: "succeeded" });
    const [inContainer, state] = (await stdoutOf(id)).trim().split(" ");
    expect([traceIdOf(inContainer!), state]).toEqual([traceIdOf(CALLER), "rojo=1"]);
    const events: { traceparent: string }[] = await eventsOf(id);
    expect(new Set(events.map((event) => traceIdOf(event.traceparent)))).toEqual(
      new Set([traceIdOf(CALLER)]),
    );
    await waitFor(
      "the end of the attempt to be told",
      () => wayUp(collector.of(CALLER), "attempt").length > 0,
    );
    const spans = collector.of(CALLER);
    for (const name of ["create", "start", "run"]) {
      expect(wayUp(spans, name)).toEqual([name, "attempt", "grant", "POST /v1/tasks"]);
    }
    for (const name of ["append submitted", "schedule"]) {
      expect(wayUp(spans, name)).toEqual([name, "POST /v1/tasks"]);
    }
    expect(spans.find(({ name }) => name === "POST /v1/tasks")?.parentSpanId).toBe(CALLER.split("-")[2]);
    expect(inContainer!.split("-")[2]).toBe(spans.find(({ name }) => name === "attempt")?.spanId);
  });

  it("begin with an agent's call where that names no span", async () => {
    const params = {
      name: "submit_task",
      arguments: { spec: JSON.stringify({ image: IMAGE, command: ["true"] }) },
    };
    const headers = { "mcp-protocol-version": "2025-11-25" };
    const answer = await request("/mcp", {
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      headers,
    });
    const id = /"id":"([0-9a-z]{26})"/.exec((await answer.text()).replaceAll("\\", ""))?.[1] ?? "";
    const { traceparent } = await ended(id);
    await waitFor("the attempt to be told", () => wayUp(collector.of(traceparent), "attempt").length > 0);
    expect(wayUp(collector.of(traceparent), "attempt")).toEqual([
      "attempt",
      "grant",
      "POST /v1/tasks",
      "tools/call submit_task",
      "POST /mcp",
    ]);
  });
});

describe.skipIf(!hasRegistry)("a pull with 429 and Retry-After", () => {
  const registry = withRegistry();

  it("is told by run, get and events while it goes on, and is a span of the trace", async () => {
    const docker = await openDockerClient(product.env.DOCKER_HOST ?? "");
    const proxy = await startRegistryProxy(registry.address);
    const image = `${proxy.address}/${await pushImage(docker, registry, { name: "cazi-test/e2e", bytes: 50_000 })}`;
    proxy.limit(1, 4);
    const run = product.startCazi(["run", "-"], JSON.stringify({ image, command: ["/content"] }));
    const find = async () => (await json(await request("/v1/tasks?limit=1"))).data[0];
    await waitFor("the task", async () => (await find())?.status === "claimed");
    const { id } = await find();
    const shown = async () => (await json(await request(`/v1/tasks/${id}`))).pull;
    await waitFor("the failed try", async () => (await shown())?.retry_at != null);
    expect(await shown()).toMatchObject({
      ref: image,
      tries: 1,
      last_error: expect.stringMatching(/toomany/),
    });
    expect(String((await product.cazi("get", id)).stdout)).toContain(`pulling ${image}: try 1 failed`);
    await run.done;
    expect(run.text()).toContain(`task ${id} is pulling ${image}: try 1 failed (toomanyrequests`);
    const { pull, traceparent, image: ran } = await ended(id);
    expect(pull).toMatchObject({ tries: 2, finished_at: expect.any(String), retry_at: null });
    const events: { type: string; data: { image: unknown } }[] = await eventsOf(id);
    const news = events.filter(({ type }) => type === "pulling");
    expect(news).toHaveLength(3);
    expect(news.at(-1)?.data.image).toEqual(ran);
    await waitFor("the pull to be told", () => wayUp(collector.of(traceparent), "attempt").length > 0);
    expect(wayUp(collector.of(traceparent), "pull").slice(0, 2)).toEqual(["pull", "attempt"]);
    await docker
      .getImage(image)
      .remove({ force: true })
      .catch(() => undefined);
    await proxy.close();
  });
});

describe("traces at the end", () => {
  it("that cannot be sent delay and fail nothing, not even the end", async () => {
    await collector.stop();
    const began = performance.now();
    const { id } = await json(await request("/v1/tasks", { body: { image: IMAGE, command: ["true"] } }));
    expect(await ended(id)).toMatchObject({ status: "succeeded" });
    expect(await product.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
