/** The official conformance suite, against the API's endpoint with the suite's fixtures beside Cazi's own catalog. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mcpOverHttp } from "../deploy/compose/mcpOverHttp.ts";
import { testToken } from "../services/control-plane/testing/apiFixture.ts";
import { systemClock } from "../services/kernel/clock.ts";
import { conformanceCatalog } from "./testing/conformanceCatalog.ts";
import { type McpFixture, mcpFixture } from "./testing/mcpFixture.ts";
import { runConformance } from "./testing/runConformance.ts";
import { log } from "./testing/silentLog.ts";
import { withToken } from "./testing/withToken.ts";

/** What Cazi does not offer, with the reasons in README.md. */
const inBoth = [
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "json-schema-2020-12",
  "prompts-get-with-image",
];
const notOffered = {
  "2025-11-25": [
    ...inBoth,
    "logging-set-level",
    "tools-call-with-logging",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "server-sse-polling",
    "server-sse-multiple-streams",
    "resources-subscribe",
    "resources-unsubscribe",
  ],
  "2026-07-28": [
    ...inBoth,
    "server-stateless:sep-2575-server-rejects-undeclared-capability",
    "server-stateless:sep-2575-missing-capability-http-400",
    "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
    "server-stateless:sep-2575-server-no-log-without-loglevel",
    "http-custom-header-server-validation",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-missing-input-response",
    "input-required-result-non-tool-request",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
  ],
};

describe("the conformance suite", () => {
  let api: McpFixture;
  let door: Awaited<ReturnType<typeof withToken>>;

  beforeAll(async () => {
    api = await mcpFixture({ mcp: mcpOverHttp({ clock: systemClock, log, catalog: conformanceCatalog }) });
    door = await withToken(api.url, testToken);
  });
  afterAll(async () => {
    await door.close();
    await api.stop();
  });

  it.each(["2025-11-25", "2026-07-28"] as const)(
    "finds /mcp to speak %s as the protocol says",
    async (version) => {
      const { code, said } = await runConformance({
        url: door.url,
        version,
        notOffered: notOffered[version],
      });
      expect(code, said).toBe(0);
    },
  );
});
