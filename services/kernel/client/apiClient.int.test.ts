/** The client against a server that fails in the ways that servers do. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../clock.ts";
import { CaziError } from "../errors.ts";
import { type ApiClient, createApiClient } from "./apiClient.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
type Step = (response: ServerResponse, seen: Seen) => void;

const servers: (() => void)[] = [];
afterEach(() => {
  for (const stop of servers.splice(0)) stop();
});

/** A server that answers its requests by `steps`, one after the other, and the client of it. */
async function scripted(...steps: Step[]): Promise<{ client: ApiClient; seen: Seen[]; stop(): void }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    steps[seen.length - 1]?.(response, seen.at(-1)!);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  servers.push(stop);
  return { client: clientOf(`http://127.0.0.1:${port}`), seen, stop };
}

function clientOf(url: string): ApiClient {
  return createApiClient({ url, token: "t", route: "cli", clock: systemClock, random: () => 0, fetch });
}

const answer =
  (status: number, body: object, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const problem = (status: number, code: string, more: object = {}) =>
  answer(status, { type: "x", title: "T", status, detail: "It is so.", code, correlation_id: "c", ...more });
const lost: Step = (response) => response.socket!.destroy();
const spec = { text: "image: a", mediaType: "application/yaml" } as const;

async function failure(work: Promise<unknown>): Promise<CaziError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CaziError)) throw new Error(`was ${error}`);
  return error;
}

describe("a submit", () => {
  it("is sent again under the same key after a lost answer and an unknown acknowledgement", async () => {
    const { client, seen } = await scripted(lost, problem(503, "ACK_UNKNOWN"), answer(202, { id: "t1" }));
    expect(await client.submitTask(spec)).toEqual({ id: "t1" });
    expect(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(seen.map(({ body }) => body)).toEqual(Array(3).fill("image: a"));
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer t",
      "content-type": "application/yaml",
      "x-cazi-route": "cli",
    });
  });

  it("that is refused has the problem's code, sentence, hint, details and facts, and is sent once", async () => {
    const errors = [{ pointer: "/a", message: "no" }];
    const { client, seen } = await scripted(
      problem(422, "SPEC_INVALID", { hint: "Do.", errors, task_id: "t" }),
    );
    expect(await failure(client.submitTask(spec, { idempotencyKey: "k" }))).toMatchObject({
      family: "rejection",
      code: "SPEC_INVALID",
      message: "It is so.",
      hint: "Do.",
      details: errors,
      fields: { status: 422, task_id: "t", correlation_id: "c" },
    });
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["k"]);
  });
});

describe("a request", () => {
  it("that is beyond a rate limit is sent again after Retry-After, and not before", async () => {
    const limited = answer(429, { code: "RATE_LIMITED", detail: "Too much." }, { "retry-after": "1" });
    const { client, seen } = await scripted(limited, answer(202, { id: "t1" }));
    const began = performance.now();
    expect(await client.submitTask(spec)).toEqual({ id: "t1" });
    expect(performance.now() - began).toBeGreaterThan(990);
    expect(seen).toHaveLength(2);
  });

  it("names the status where the answer is no problem document", async () => {
    const { client } = await scripted((response) => response.writeHead(404).end("<html>"));
    expect(await failure(client.getTask("x"))).toMatchObject({ code: "HTTP_404" });
  });

  it("fails at once where nothing listens", async () => {
    const { client, stop } = await scripted();
    stop();
    const began = performance.now();
    expect(await failure(client.listTasks())).toMatchObject({ code: "API_UNREACHABLE" });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it.each([
    ["a port that fetch never asks", "http://127.0.0.1:1", /127\.0\.0\.1:1 \(bad port\)/],
    ["a user and a password", "http://u:hidden@127.0.0.1:7070", /127\.0\.0\.1:7070 \(it is no address/],
    ["another protocol", "ftp://127.0.0.1", /unknown scheme/],
  ])("to an address with %s fails at once, and says what to set", async (_, url, sentence) => {
    const began = performance.now();
    const client = clientOf(url);
    const failed = [await failure(client.listTasks()), await failure(client.followFeed().next())];
    for (const one of failed) {
      expect(one).toMatchObject({ code: "API_UNREACHABLE", family: "rejection" });
      expect(one.message).toMatch(sentence);
      expect(one.message).not.toContain("hidden");
      expect(one.hint).toContain("Set CAZI_URL");
    }
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("that is answered by a redirect is not sent again", async () => {
    const { client, seen } = await scripted((response) =>
      response.writeHead(301, { location: "https://cazi.example/" }).end(),
    );
    expect((await failure(client.listTasks())).message).toContain("unexpected redirect");
    expect(seen).toHaveLength(1);
  });

  it("is ended by its caller's signal", async () => {
    const { client } = await scripted(() => {});
    const signal = AbortSignal.timeout(50);
    await expect(client.getTask("x", { waitSeconds: 50, signal })).rejects.toThrow();
  });

  it("sends lists as repeated parameters, encoded", async () => {
    const { client, seen } = await scripted(answer(200, { data: [], next_cursor: null }));
    await client.listTasks({ status: ["running", "failed"], label: ["a=b,c&d"], name: undefined });
    expect(seen[0]?.url).toBe("/v1/tasks?status=running&status=failed&label=a%3Db%2Cc%26d");
  });

  it("takes an answer of not being ready for an answer", async () => {
    const { client } = await scripted(answer(503, { status: "unavailable", reasons: [] }));
    expect(await client.readiness()).toEqual({ status: "unavailable", reasons: [] });
  });
});

describe("a followed log", () => {
  const log = (position: string) =>
    `event: log\nid: ${position}\ndata: ${JSON.stringify({ position, stream: "stdout" })}\n\n`;
  const stream =
    (text: string, end: boolean): Step =>
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(text, () => (end ? response.end() : response.socket!.destroy()));
    };

  it("goes on after the last entry over broken and ended connections, each entry once", async () => {
    const { client, seen } = await scripted(
      stream(`: still here\n\n${log("1.1.0")}${log("1.2.0")}event: log\nid: 1.3.0\ndata: {"pos`, false),
      problem(503, "LOGS_UNAVAILABLE"),
      stream(log("1.3.0"), true),
      stream(`${log("1.4.0")}event: end\ndata: {}\n\n`, true),
    );
    const positions: string[] = [];
    for await (const entries of client.followTaskLogs("t", { after: "1.0.0" })) {
      positions.push(...entries.map((entry) => entry.position));
    }
    expect(positions).toEqual(["1.1.0", "1.2.0", "1.3.0", "1.4.0"]);
    expect(seen.map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      "1.2.0",
      "1.2.0",
      "1.3.0",
    ]);
    expect(seen[0]?.url).toBe("/v1/tasks/t/logs?follow=true&after=1.0.0");
    expect(seen[1]?.url).toBe("/v1/tasks/t/logs?follow=true");
  });

  it("of a task that is not there is a rejection", async () => {
    const { client } = await scripted(problem(404, "TASK_NOT_FOUND"));
    expect(await failure(client.followTaskLogs("t").next())).toMatchObject({ code: "TASK_NOT_FOUND" });
  });
});

describe("following the feed", () => {
  const stream =
    (...texts: string[]): Step =>
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(texts.join(""));
      setTimeout(() => response.destroy(), 20);
    };
  const message = (event: string, id: string, data: object) =>
    `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

  it("takes a broken connection up after the last item, also before the first event", async () => {
    const { client, seen } = await scripted(
      stream(message("start", "7-aa", { first: 1, last: 7 })),
      stream(message("task", "8-aa", { id: "e8" }), ": still here\n\n"),
      stream(
        message("gap", "10-aa", { reason: "pruned", from: 9, to: 10 }),
        message("task", "11-aa", { id: "e11" }),
      ),
    );
    const got: unknown[] = [];
    for await (const items of client.followFeed({ types: ["failed", "cancelled"], after: "3" })) {
      for (const item of items) got.push(item.kind === "event" ? item.event.id : item.kind);
      if (got.includes("e11")) break;
    }
    expect(got).toEqual(["start", "e8", "gap", "e11"]);
    expect(seen.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "7-aa", "8-aa"]);
    expect(seen[0]!.url).toBe("/v1/events/stream?types=failed&types=cancelled&after=3");
    expect(seen[1]!.url).toBe("/v1/events/stream?types=failed&types=cancelled");
  });

  it("is given up where the request itself is refused", async () => {
    const { client } = await scripted(problem(400, "REQUEST_INVALID"));
    expect(await failure(client.followFeed({ types: ["exploded"] }).next())).toMatchObject({
      code: "REQUEST_INVALID",
    });
  });
});
