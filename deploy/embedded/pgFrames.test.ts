import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame, frameReader, queryFrame, readyStatus, scopeStatement, syncFrame } from "./pgFrames.ts";

const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]);
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

describe("the frame reader", () => {
  it("cuts the same frames however the bytes arrive", () => {
    const stream = Buffer.concat([sslRequest, startup, queryFrame("SELECT 1"), syncFrame]);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const read = frameReader();
        const edges = [0, ...cuts.sort((a, b) => a - b), stream.length];
        const frames = edges
          .slice(1)
          .flatMap((end, at) => read(Buffer.from(stream.subarray(edges[at], end))));
        expect(frames.map((frame) => (frame.kind === "message" ? frame.type : frame.kind))).toEqual([
          "encryption_request",
          "startup",
          "Q",
          "S",
        ]);
      }),
    );
  });

  it("refuses an impossible length", () => {
    expect(() => frameReader()(Buffer.from([0, 0, 0, 1]))).toThrow(RangeError);
    expect(() => frameReader()(Buffer.from([0x7f, 0xff, 0xff, 0xff]))).toThrow(RangeError);
  });
});

describe("a statement's name", () => {
  const parse = (name: string) => encodeFrame("P", Buffer.from(`${name}\0SELECT 1\0\0\0`));

  it("becomes the connection's own in every frame that carries it", () => {
    const cases = [
      ["P", parse("q"), parse("c1_q")],
      ["B", encodeFrame("B", Buffer.from("portal\0q\0")), encodeFrame("B", Buffer.from("portal\0c1_q\0"))],
      ["D", encodeFrame("D", Buffer.from("Sq\0")), encodeFrame("D", Buffer.from("Sc1_q\0"))],
      ["C", encodeFrame("C", Buffer.from("Sq\0")), encodeFrame("C", Buffer.from("Sc1_q\0"))],
    ] as const;
    for (const [type, given, scoped] of cases) {
      expect(scopeStatement(type, given, "c1_")).toEqual({ bytes: scoped, name: "c1_q" });
    }
  });

  it("is left alone when there is none", () => {
    expect(scopeStatement("P", parse(""), "c1_")).toEqual({ bytes: parse(""), name: null });
    expect(scopeStatement("Q", queryFrame("SELECT 1"), "c1_").name).toBeNull();
  });

  it("stays within the server's limit, and distinct, when it is long", () => {
    const names = ["a", "b"].map((end) => scopeStatement("P", parse("n".repeat(62) + end), "c1_").name ?? "");
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => name.length <= 63)).toBe(true);
  });
});

describe("the ready status", () => {
  it("is read only from a whole ReadyForQuery at the end", () => {
    expect(readyStatus(Buffer.from([0x5a, 0, 0, 0, 5, 0x54]))).toBe("T");
    expect(readyStatus(Buffer.from([0x43, 0, 0, 0, 5, 0x54]))).toBeNull();
    expect(readyStatus(Buffer.alloc(0))).toBeNull();
  });
});
