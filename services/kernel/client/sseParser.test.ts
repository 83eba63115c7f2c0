import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseParser, type SseMessage } from "./sseParser.ts";

const text =
  ': still here\n\nevent: log\nid: 1.5.0\ndata: {"a":1}\n\nid: 1.9.0\r\ndata: x\r\ndata:y\r\n\r\nevent: none\n\ndata\n\nevent: end\ndata: {}\n\nevent: log\ndata: cut';
const messages: SseMessage[] = [
  { id: "1.5.0", event: "log", data: '{"a":1}' },
  { id: "1.9.0", event: "message", data: "x\ny" },
  { id: "1.9.0", event: "message", data: "" },
  { id: "1.9.0", event: "end", data: "{}" },
];

describe("createSseParser", () => {
  it("gives the same messages however the text is cut, and none that is not whole", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const parse = createSseParser();
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const got = at.slice(1).flatMap((end, index) => parse(text.slice(at[index], end)));
        expect(got).toEqual(messages);
      }),
    );
  });

  it("gives up on a line that never ends", () => {
    const parse = createSseParser();
    expect(() => {
      for (let sent = 0; sent < 10; sent++) parse("x".repeat(1024 * 1024));
    }).toThrow(/a line of more than/);
  });
});
