import { describe, expect, it } from "vitest";
import { eraOf } from "./era.ts";

const claim = { params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } };

describe("eraOf", () => {
  it.each<[string, unknown, string | null, "2025" | "2026"]>([
    ["a message that carries its version", claim, null, "2026"],
    ["a batch in which one does", [{}, claim], null, "2026"],
    [
      "a header of the new version, so that a message without is told what is missing",
      {},
      "2026-07-28",
      "2026",
    ],
    ["a header of an old version", {}, "2025-11-25", "2025"],
    ["an initialize", { method: "initialize", params: { protocolVersion: "2025-11-25" } }, null, "2025"],
    ["what is no message", 7, null, "2025"],
    ["nothing", null, null, "2025"],
  ])("reads %s", (_, message, header, era) => {
    expect(eraOf(message, header)).toBe(era);
  });
});
