/** Clients that leave in the middle of an answer, over real connections: what is read for them is read no further. */
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../test/support/waitFor.ts";
import { endingMs } from "./limits.ts";
import type { ApiPorts } from "./ports.ts";
import { type ApiFixture, apiFixture, testTenant, testToken } from "./testing/apiFixture.ts";

const headers = { authorization: `Bearer ${testToken}` };
const piece = Buffer.from(`${"x".repeat(16_383)}\n`);

/** Sources of every kind that give for ever, and how many of them are being read. */
function endless() {
  const count = { open: 0, opened: 0 };
  async function* of<T>(next: (index: number) => T, signal?: AbortSignal): AsyncGenerator<T, void> {
    count.open++;
    count.opened++;
    try {
      for (let index = 0; !signal?.aborted; index++) {
        await new Promise((resolve) => setImmediate(resolve));
        yield next(index);
      }
    } finally {
      count.open--;
    }
  }
  const chunk = (index: number) => ({
    ...{ node: "n1", attempt: 1, stream: "stdout" as const, at: Date.now() },
    ...{ offset: index * piece.length, bytes: piece, dropped: null, pending: 1, seq: index + 1 },
  });
  const logs: Partial<ApiPorts["logs"]> = {
    read: async () => ({ pending: 1, chunks: of(chunk) }),
    follow: async (_filter, _seq, signal) => ({ pending: 1, chunks: of(chunk, signal) }),
  };
  const gap = { from: 1, to: 2, reason: "removed" } as never;
  const feed: ApiPorts["feed"] = {
    ends: async () => ({ life: "00000001", firstSeq: 1, lastSeq: 1 }),
    follow: (_of, signal) =>
      of((index) => ({ kind: "gap", gap, at: { seq: index, life: "00000001" } }), signal),
  };
  const file = { id: "e", name: "big", attempt: 1, bytes: 1e12, sha256: "", media_type: "a/b", stored_at: 0 };
  const hosted = new Map([["big", { ...file, expires_at: Number.MAX_SAFE_INTEGER }]]);
  const artifacts = {
    clock: { now: Date.now, monotonicMs: () => 0 },
    records: { read: async () => ({ artifacts: { hosted } }) },
    store: { find: async () => ({ ...file, nuid: "n" }), read: () => of(() => piece) },
  } as unknown as ApiPorts["artifacts"];
  return { count, ports: { logs: logs as ApiPorts["logs"], feed, artifacts } };
}

async function submitted(ask: ApiFixture["ask"]): Promise<string> {
  const spec = { headers: { "content-type": "application/json" }, body: '{"image":"a"}' };
  return (await ask("POST", "/v1/tasks", spec)).json.id;
}

describe("a client that leaves in the middle of an answer", () => {
  const paths = [
    ["a file", "/v1/tasks/:id/artifacts/big"],
    ["raw output", "/v1/tasks/:id/output/raw"],
    ["followed output", "/v1/tasks/:id/logs?follow=true"],
    ["followed events", "/v1/events/stream"],
  ] as const;

  it("ends the reading for it, whatever was read, and holds up no end of the server", async () => {
    const { count, ports } = endless();
    const { app, ask, run } = await apiFixture(ports);
    const id = await submitted(ask);
    await run(id, { stdout: 1e12 });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    for (const [what, path] of paths) {
      const leave = new AbortController();
      const answer = await fetch(url + path.replace(":id", id), { headers, signal: leave.signal });
      await answer.body!.getReader().read();
      await waitFor(`${what} to be read`, () => count.open === 1);
      // The client opens another connection at once, on which it asks nothing.
      const reconnected = once(app.server, "connection");
      leave.abort();
      await waitFor(`the reading of ${what} to end`, () => count.open === 0);
      await reconnected;
    }
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(endingMs);
    expect(count.opened).toBe(paths.length);
  });

  it.each(["/v1/tasks/:id/logs?follow=true", "/v1/events/stream"])(
    "and has left before its request was looked at gives its place among open streams back: %s",
    async (path) => {
      const { count, ports } = endless();
      const follows = { open: 0, opened: 0 };
      const openFollow = () => {
        follows.open++;
        follows.opened++;
        return () => void follows.open--;
      };
      let admit = () => {};
      const admitted = new Promise<void>((resolve) => {
        admit = resolve;
      });
      const principal = { tenant: testTenant, actor: "user:a", role: "admin" as const, installation: true };
      let asked = 0;
      const tokens = {
        verify: async () => {
          if (asked++ > 0) await admitted;
          return principal;
        },
      };
      const quotas = { admitSubmit: async () => () => undefined, openFollow };
      const { app, ask } = await apiFixture({ ...ports, tokens, quotas });
      const id = await submitted(ask);
      const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
      const socket = connect(Number(port), "127.0.0.1");
      const closed = new Promise<void>((resolve) =>
        app.server.once("request", (_request, response) => response.once("close", resolve)),
      );
      socket.write(
        `GET ${path.replace(":id", id)} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer x\r\n\r\n`,
      );
      await waitFor("the request", () => asked === 2);
      socket.destroy();
      await closed;
      admit();
      await waitFor(
        "the stream to be counted, and not any more",
        () => follows.opened === 1 && follows.open === 0,
      );
      await waitFor("nothing to be read", () => count.open === 0);
      await app.close();
    },
  );
});
