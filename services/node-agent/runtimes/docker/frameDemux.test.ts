import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameDemux } from "./frameDemux.ts";

interface Frame {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

function encoded(frames: readonly Frame[]): Buffer {
  return Buffer.concat(
    frames.map(({ stream, bytes }) => {
      const header = Buffer.alloc(8);
      header[0] = stream === "stdout" ? 1 : 2;
      header.writeUInt32BE(bytes.length, 4);
      return Buffer.concat([header, bytes]);
    }),
  );
}

function joined(parts: readonly Frame[], stream: Frame["stream"]): string {
  return Buffer.concat(parts.filter((part) => part.stream === stream).map((part) => part.bytes)).toString(
    "hex",
  );
}

const frames = fc.array(
  fc.record({
    stream: fc.constantFrom("stdout" as const, "stderr" as const),
    bytes: fc.uint8Array({ maxLength: 40 }),
  }),
);

describe("reading multiplexed output", () => {
  it("gives the same bytes of each stream however the frames are cut", () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 20 })), (sent, cuts) => {
        const got: Frame[] = [];
        const demux = new FrameDemux((stream, bytes) => got.push({ stream, bytes: Buffer.from(bytes) }));
        const wire = encoded(sent);
        let at = 0;
        for (const cut of [...cuts, wire.length]) {
          demux.push(wire.subarray(at, at + cut));
          at += cut;
        }
        expect(joined(got, "stdout")).toBe(joined(sent, "stdout"));
        expect(joined(got, "stderr")).toBe(joined(sent, "stderr"));
      }),
    );
  });

  it("passes a long frame on as it comes, without gathering it", () => {
    let largest = 0;
    const demux = new FrameDemux((_, bytes) => {
      largest = Math.max(largest, bytes.length);
    });
    const wire = encoded([{ stream: "stdout", bytes: new Uint8Array(1_000_000) }]);
    for (let at = 0; at < wire.length; at += 1000) demux.push(wire.subarray(at, at + 1000));
    expect(largest).toBeLessThanOrEqual(1000);
  });

  it("refuses output that is not in frames", () => {
    const demux = new FrameDemux(() => {});
    expect(() => demux.push(Buffer.from("plain text from a terminal"))).toThrow(
      expect.objectContaining({ code: "FRAME_INVALID" }),
    );
  });
});
