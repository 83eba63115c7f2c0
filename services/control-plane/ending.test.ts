/** A server that is asked to end, over real connections: what was begun is answered, and so is what still comes. */
import { once } from "node:events";
import { connect } from "node:net";
import fastify from "fastify";
import { expect, it } from "vitest";
import { endConnections } from "./http/endConnections.ts";
import { apiFixture, testToken } from "./testing/apiFixture.ts";

const request = (path: string) =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${testToken}\r\n\r\n`;

it("a server that is asked to end answers what was begun, and what comes behind it on a connection that is open", async () => {
  const { app, ask, stopping } = await apiFixture();
  const made = await ask("POST", "/v1/tasks", {
    headers: { "content-type": "application/json" },
    body: '{"image":"cazi/toolbox:latest"}',
  });
  const address = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const began = new Promise<void>((resolve) => app.server.once("request", () => resolve()));
  const socket = connect(Number(address.port), address.hostname);
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.write(request(`/v1/tasks/${made.json.id}?wait=30`));
  await began;
  const closed = app.close();
  socket.write(request("/v1/nodes"));
  stopping.abort();
  await Promise.all([once(socket, "close"), closed]);
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
  expect(statuses[0]).toBe("200");
  // The first answer may say that it is the last one; what was sent behind it is then for another connection.
  expect(statuses.slice(1).filter((status) => status !== "200")).toEqual([]);
  await expect(fetch(`${address.href}readyz`)).rejects.toThrow();
});

it("a server that is about to end closes connections behind its answers, so that the next request goes to another", async () => {
  const draining = new AbortController();
  const { app } = await apiFixture({ draining: draining.signal });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const connection = async () => (await fetch(`${url}/healthz`)).headers.get("connection");
  expect(await connection()).toBe("keep-alive");
  draining.abort();
  expect(await connection()).toBe("close");
  await app.close();
});

/** A server with an answer that waits to be let out, one that nobody reads to its end, and half a second to end in. */
async function holding() {
  const app = fastify({ forceCloseConnections: "idle" });
  endConnections(app, 500);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.get("/held", async (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-length": 4, connection: "keep-alive" });
    reply.raw.write("on");
    await released;
    reply.raw.end("e\n");
  });
  app.get("/large", (_request, reply) => reply.send(Buffer.alloc(64 * 1024 * 1024)));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, release, socket: () => connect(Number(new URL(url).port), "127.0.0.1") };
}

it("a connection that is kept alive ends with the answer that was under way, and one without a question at once", async () => {
  const { app, release, socket } = await holding();
  const [asking, silent] = [socket(), socket()];
  asking.write(request("/held"));
  await once(asking, "data");
  const closed = app.close();
  await once(silent.resume(), "close");
  release();
  const [rest] = await once(asking, "data");
  expect(String(rest)).toBe("e\n");
  await closed;
});

it("a reader that has stopped reading is cut when the time to end in is over", async () => {
  const { app, socket } = await holding();
  const reader = socket();
  reader.write(request("/large"));
  await once(reader, "readable");
  const began = performance.now();
  await app.close();
  expect(performance.now() - began).toBeLessThan(20_000);
});
