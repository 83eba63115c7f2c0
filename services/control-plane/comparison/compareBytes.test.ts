import { describe, expect, it } from "vitest";
import { compareBytes } from "./compareBytes.ts";

/** Bytes in pieces of a size. */
async function* pieces(bytes: Buffer | string, size: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes as string);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

const compare = (a: Buffer | string, b: Buffer | string, sizes = [3, 5]) =>
  compareBytes(pieces(a, sizes[0]!), pieces(b, sizes[1]!));

describe("comparing outputs", () => {
  it("finds the same bytes the same, however they come in pieces", async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, n) => (n * 7) % 256));
    for (const sizes of [
      [1, 1_000],
      [7, 13],
      [1_000, 1_000],
    ]) {
      expect(await compare(bytes, bytes, sizes)).toEqual({ difference: null, read: 1_000 });
    }
    expect(await compare("", "")).toEqual({ difference: null, read: 0 });
  });

  it("says where the first difference is, and shows its line of both", async () => {
    const { difference } = await compare("one\ntwo\nthree\n", "one\ntwo\nthrow\n");
    expect(difference).toEqual({
      offset: 11,
      line: 3,
      excerpt_offset: 8,
      task: { text: "three\n", hex: Buffer.from("three\n").toString("hex"), ended: true },
      with: { text: "throw\n", hex: Buffer.from("throw\n").toString("hex"), ended: true },
    });
  });

  it("takes an output that ends earlier for a difference at its end", async () => {
    expect((await compare("ab", "abc")).difference).toMatchObject({
      offset: 2,
      task: { text: "ab", ended: true },
      with: { text: "abc", ended: true },
    });
    expect((await compare("", "x")).difference).toMatchObject({ offset: 0, line: 1, task: { text: "" } });
  });

  it("shows bytes that are no text as hex, and cuts no character in half", async () => {
    const { difference } = await compare(Buffer.from([0, 255, 1]), Buffer.from([0, 255, 2]));
    expect(difference).toMatchObject({
      offset: 2,
      task: { text: null, hex: "00ff01" },
      with: { hex: "00ff02" },
    });
    const long = "\u{1f600}".repeat(100);
    const text = (await compare(`${long}a`, `${long}b${long}`)).difference;
    expect(text?.task.text).not.toBeNull();
    expect(text?.with).toMatchObject({ ended: false });
    expect(text?.with.text).not.toContain("\ufffd");
  });

  it("reads no further than the difference, keeps little in memory, and ends both readings", async () => {
    const read = [0, 0];
    const ended: number[] = [];
    async function* endless(side: number): AsyncGenerator<Uint8Array> {
      try {
        for (let piece = 0; ; piece++) {
          read[side]!++;
          yield Buffer.alloc(1024, piece === 500 ? side : 7);
        }
      } finally {
        ended.push(side);
      }
    }
    const { difference } = await compareBytes(endless(0), endless(1));
    expect(difference).toMatchObject({ offset: 500 * 1024, line: 1 });
    expect(difference!.task.hex.length).toBeLessThan(500);
    expect(Math.max(...read)).toBeLessThan(505);
    expect(ended.sort()).toEqual([0, 1]);
  });
});
