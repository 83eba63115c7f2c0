import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, type Piece } from "./splitLines.ts";

const MAX = 8;

function split(chunks: readonly Uint8Array[], startOffset = 0): Piece[] {
  const splitter = new LineSplitter({ startOffset, lineBytesMax: MAX });
  const pieces = chunks.flatMap((chunk, index) => splitter.push(chunk, index));
  return [...pieces, ...splitter.end()];
}

function joined(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(
    pieces.flatMap((piece) =>
      piece.ending === "newline" ? [piece.bytes, Buffer.from("\n")] : [piece.bytes],
    ),
  );
}

function shown(pieces: readonly Piece[]): string[] {
  return pieces.map((piece) => `${piece.bytes.toString()}|${piece.ending}|${piece.endOffset}`);
}

/** Bytes in which newlines and characters of several bytes are common. */
const output = fc
  .array(fc.oneof(fc.constantFrom("\n", "a", "é", "€", "😀"), fc.uint8Array({ maxLength: 3 })), {
    maxLength: 40,
  })
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string))));

function cutAt(bytes: Buffer, cuts: readonly number[]): Uint8Array[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
}

describe("splitting output into lines", () => {
  it("gives the same pieces however the bytes were cut into chunks", () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(200), { maxLength: 12 }), (bytes, cuts) => {
        expect(shown(split(cutAt(bytes, cuts)))).toEqual(shown(split([bytes])));
      }),
    );
  });

  it("loses and adds no byte, and its offsets say where each piece ends", () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(200), { maxLength: 12 }), fc.nat(1000), (bytes, cuts, start) => {
        const pieces = split(cutAt(bytes, cuts), start);
        expect(joined(pieces).equals(bytes)).toBe(true);
        let offset = start;
        for (const piece of pieces) {
          offset += piece.bytes.length + (piece.ending === "newline" ? 1 : 0);
          expect(piece.endOffset).toBe(offset);
          expect(piece.bytes.length).toBeLessThanOrEqual(MAX);
        }
      }),
    );
  });

  it("goes on after any piece as if it had not stopped", () => {
    fc.assert(
      fc.property(output, fc.nat(50), (bytes, which) => {
        const all = split([bytes]);
        const last = all[which % Math.max(1, all.length)];
        const from = last?.endOffset ?? 0;
        const rest = all.slice(last === undefined ? 0 : all.indexOf(last) + 1);
        // A line that was cut has no beginning any more to be cut at the same places; its bytes are what counts.
        expect(joined(split([bytes.subarray(from)], from)).equals(joined(rest))).toBe(true);
      }),
    );
  });

  it("keeps an empty line, ends what has no newline, and gives nothing for nothing", () => {
    expect(shown(split([Buffer.from("a\n\nb")]))).toEqual(["a|newline|2", "|newline|3", "b|end|4"]);
    expect(split([Buffer.alloc(0)])).toEqual([]);
  });

  it("takes a line of exactly the longest length whole", () => {
    expect(shown(split([Buffer.from("12345678\n9")]))).toEqual(["12345678|newline|9", "9|end|10"]);
  });

  it("cuts a long line between characters", () => {
    expect(shown(split([Buffer.from("1234567€90\n")]))).toEqual(["1234567|cut|7", "€90|newline|13"]);
    expect(shown(split([Buffer.alloc(20, 0x80)])).length).toBe(3);
  });

  it("gives on demand what has no end yet, and then what follows it", () => {
    const splitter = new LineSplitter({ startOffset: 0, lineBytesMax: MAX });
    expect(splitter.push(Buffer.from("ab"), 1)).toEqual([]);
    expect(shown(splitter.cut())).toEqual(["ab|cut|2"]);
    expect(splitter.cut()).toEqual([]);
    expect(shown(splitter.push(Buffer.from("c\n"), 2))).toEqual(["c|newline|4"]);
  });

  it("dates a line by its first bytes", () => {
    const splitter = new LineSplitter({ startOffset: 0, lineBytesMax: MAX });
    splitter.push(Buffer.from("a"), 10);
    const [first, second] = splitter.push(Buffer.from("b\nc\n"), 20);
    expect([first?.at, second?.at]).toEqual([10, 20]);
  });
});
