import { describe, expect, it } from "vitest";
import { whatIsFull } from "./storageRoom.ts";

const GIB = 1024 ** 3;
const ledger = (share: number) => ({ name: "LEDGER_0", bytes: share * GIB, maxBytes: GIB });

describe("the room for new tasks", () => {
  it("ends when a stream holds 85 % of what it may, and not before", () => {
    expect(whatIsFull({ disk: null, streams: [ledger(0.849)] })).toBeNull();
    expect(whatIsFull({ disk: null, streams: [ledger(0.1), ledger(0.85)] })).toBe(
      "stream LEDGER_0 holds 85 % of what it may",
    );
  });

  it("ends when the disk is 85 % full and short of space, not when it is merely large and used", () => {
    expect(whatIsFull({ disk: { usedBytes: 18 * GIB, freeBytes: 2 * GIB }, streams: [] })).toBe(
      "the disk is 90 % full",
    );
    expect(whatIsFull({ disk: { usedBytes: 900 * GIB, freeBytes: 100 * GIB }, streams: [] })).toBeNull();
    expect(whatIsFull({ disk: { usedBytes: 4 * GIB, freeBytes: 4 * GIB }, streams: [] })).toBeNull();
  });

  it("has no end where a stream has none", () => {
    expect(whatIsFull({ disk: null, streams: [{ name: "LOGS", bytes: 9e15, maxBytes: -1 }] })).toBeNull();
  });
});
