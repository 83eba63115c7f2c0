/** The official conformance suite: against Cazi itself, and against a server of its fixtures on the same adapters. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testToken } from "../services/control-plane/testing/apiFixture.ts";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import { systemClock } from "../services/kernel/clock.ts";
import { createMcpHttp } from "./http.ts";
import { conformanceCatalog } from "./testing/conformanceCatalog.ts";
import { type McpFixture, mcpFixture } from "./testing/mcpFixture.ts";
import { runConformance } from "./testing/runConformance.ts";
import { withToken } from "./testing/withToken.ts";

/** What Cazi does not offer, with the reason in README.md. */
const notOffered = [
  "logging-set-level",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "json-schema-2020-12",
  "server-sse-polling",
  "server-sse-multiple-streams",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-get-with-image",
];
/** What needs tools, resources and prompts of the suite's own. */
const fixtures = [
  "completion-complete",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
];

describe("the conformance suite", () => {
  let api: McpFixture;
  let door: Awaited<ReturnType<typeof withToken>>;
  let fixture: ReturnType<typeof createServer>;

  beforeAll(async () => {
    api = await mcpFixture();
    door = await withToken(api.url, testToken);
    fixture = fixtureServer();
    await new Promise<void>((resolve) => fixture.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await door.close();
    await api.stop();
    fixture.closeAllConnections();
    await new Promise((resolve) => fixture.close(resolve));
  });

  it("finds Cazi's endpoint to be as the protocol says", async () => {
    const { code, said } = await runConformance(door.url, [...notOffered, ...fixtures]);
    expect(code, said).toBe(0);
  });

  it("finds its own tools, resources and prompts on the same adapters to be as it says", async () => {
    const url = `http://127.0.0.1:${(fixture.address() as AddressInfo).port}/mcp`;
    // Hosts and origins are the API's to check; this server has no API.
    const { code, said } = await runConformance(url, [...notOffered, "dns-rebinding-protection"]);
    expect(code, said).toBe(0);
  });
});

function fixtureServer(): ReturnType<typeof createServer> {
  const answerMcp = createMcpHttp({ version: "0.0.0", clock: systemClock, catalog: conformanceCatalog });
  return createServer(async (incoming, outgoing) => {
    if (incoming.method !== "POST") return outgoing.writeHead(405, { allow: "POST" }).end();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const headers = Object.entries(incoming.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers, signal: gone.signal });
    // The suite's fixtures ask no API.
    const connect = () => ({}) as ApiClient;
    const answer = await answerMcp({
      request,
      body: Buffer.concat(chunks).toString(),
      connect,
    });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
}
