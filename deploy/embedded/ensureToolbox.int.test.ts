import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { quietLog } from "../../test/support/tempHome.ts";
import { testEngine } from "../../test/support/withEngine.ts";
import { engineRequest } from "./engineRequest.ts";
import { ensureToolbox } from "./ensureToolbox.ts";

/** The engine behind a door that closes in the middle of what is sent to it. */
async function closingEarly(dockerHost: string, status: (real: number) => number) {
  const server = createServer((request, response) => {
    if (request.method === "POST") return void request.once("data", () => request.socket.destroy());
    void engineRequest(dockerHost, { method: "GET", path: request.url!, timeoutMs: 10_000 }).then((answer) =>
      response.writeHead(status(answer.status)).end(answer.body),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describe("the local image", () => {
  it("has the same id when it is made again, and is left alone when it is there", async () => {
    const { dockerHost, imageId } = await testEngine();
    expect(await ensureToolbox({ dockerHost, log: quietLog })).toEqual({ imageId, made: false });
    const again = await ensureToolbox({ dockerHost, log: quietLog, always: true });
    expect(again).toEqual({ imageId, made: true });
  });

  it("is looked for when the engine closes before it has read all of it, and only then said not to be there", async () => {
    const { dockerHost, imageId } = await testEngine();
    const there = await closingEarly(dockerHost, (status) => status);
    const made = await ensureToolbox({ dockerHost: there.url, log: quietLog, always: true });
    expect(made).toEqual({ imageId, made: true });
    there.close();
    const missing = await closingEarly(dockerHost, () => 404);
    const refused = await ensureToolbox({ dockerHost: missing.url, log: quietLog });
    expect(refused).toEqual({
      unavailable: expect.stringMatching(/did not take .*: (write EPIPE|.*ECONNRESET|socket hang up)/),
    });
    missing.close();
  });
});
