import { describe, expect, it } from "vitest";
import { elfProgram } from "./elfProgram.ts";

/** A 64-bit header with one program segment of the given type. */
function program(segmentType: number, machine = 62): Buffer {
  const bytes = Buffer.alloc(64 + 56);
  bytes.writeUInt32BE(0x7f454c46, 0);
  bytes[4] = 2;
  bytes[5] = 1;
  bytes.writeUInt16LE(machine, 18);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(segmentType, 64);
  return bytes;
}

describe("an ELF program", () => {
  it("is static when it names no loader", () => {
    expect(elfProgram(program(1))).toEqual({ architecture: "amd64", isStatic: true });
  });

  it("is not static when it names a loader", () => {
    expect(elfProgram(program(3, 183))).toEqual({ architecture: "arm64", isStatic: false });
  });

  it.each([
    ["a script", Buffer.from(`#!/bin/sh\n${" ".repeat(100)}`)],
    ["too short a file", Buffer.from("\x7fELF")],
    ["a table beyond the end", program(1).subarray(0, 70)],
    ["an unknown machine", program(1, 9999)],
  ])("is not made of %s", (_, bytes) => {
    expect(elfProgram(bytes)).toBeNull();
  });
});
