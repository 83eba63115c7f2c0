import { describe, expect, it } from "vitest";
import { CHAIN_START, sealLine } from "./auditChain.ts";
import { createLineSealer } from "./lineSealer.ts";

describe("a line that is sealed in place", () => {
  it("is to the byte what the chain says, whatever its characters and length", () => {
    const sealer = createLineSealer();
    let previous = CHAIN_START;
    for (const text of [
      "a",
      "ümläut 日本 \u{1F600}",
      "",
      "x".repeat(200_000),
      "日".repeat(70_000),
      "short again",
    ]) {
      const record = { type: "t", text };
      const expected = sealLine(previous, record);
      const { bytes, hash } = sealer.seal(previous, JSON.stringify(record));
      expect(Buffer.from(bytes).toString("utf8")).toBe(`${expected.line}\n`);
      expect(hash).toBe(expected.hash);
      previous = hash;
    }
  });
});
