import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder } from "../testing/runProgram.ts";
import { readSnapshot } from "./readSnapshot.ts";

const KIB = 1024;
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** What is said of each of these files, in the order of their names: null for what can be read. */
function reasons(name: string, files: Readonly<Record<string, string | Buffer>>) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
  const snapshot = readSnapshot({ roots: [{ name, path }], include: [], exclude: [] });
  return [...snapshot.values()].map(({ reason, content, source_hash }) => {
    // What is refused has neither content nor fingerprint.
    expect([content === null, source_hash === null]).toEqual([reason !== null, reason !== null]);
    return reason;
  });
}

const numbered = (count: number, content: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n).padStart(4, "0"), content]));

describe("what may be read", () => {
  it("is a text of 256 KiB, and not of one byte more", () => {
    const files = { at: "x".repeat(256 * KIB), over: "x".repeat(256 * KIB + 1) };
    expect(reasons("bytes", files)).toEqual([null, "file_bytes_exceeded"]);
  });

  it("is 1 MiB of one root together, and not one byte more", () => {
    const files = { ...numbered(4, "x".repeat(256 * KIB)), zz: "x" };
    expect(reasons("total", files)).toEqual([null, null, null, null, "total_bytes_exceeded"]);
    expect(reasons("less", { ...numbered(4, "x".repeat(256 * KIB - 1)), zz: "xxxx" })).toEqual(
      Array(5).fill(null),
    );
  });

  it("is 256 files of one root, and not one more", () => {
    const found = reasons("files", numbered(257, "x"));
    expect(found).toEqual([...Array(256).fill(null), "files_exceeded"]);
  });

  it("is no link and nothing but text", () => {
    mkdirSync(join(folder, "odd"));
    symlinkSync("/etc/hostname", join(folder, "odd/link"));
    const files = { binary: Buffer.from([65, 0, 65]), "not-utf8": Buffer.from([0xff, 0xfe]), text: "ž" };
    expect(reasons("odd", files)).toEqual(["binary_refused", "symlink_refused", "binary_refused", null]);
  });

  it("is listed up to 4096 files, and a root with more is refused as a whole", () => {
    expect(reasons("many", numbered(4096, "")).length).toBe(4096);
    expect(() => reasons("many", { zzzz: "" })).toThrow(expect.objectContaining({ code: "INPUT_TOO_LARGE" }));
  });
});
