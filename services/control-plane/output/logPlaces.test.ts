import { describe, expect, it } from "vitest";
import type { LogChunk } from "../../kernel/logs/logSource.ts";
import { LogPlaces, OpenChunks } from "./logPlaces.ts";

function chunk(
  seq: number,
  offset: number,
  length: number,
  stream: "stdout" | "stderr" = "stdout",
): LogChunk {
  const bytes = new Uint8Array(length);
  return { node: "n", attempt: 1, stream, offset, at: 0, bytes, dropped: null, pending: 0, seq };
}

describe("places in LOGS", () => {
  it("begin at the oldest chunk that is not all delivered, whichever stream it is of", () => {
    const open = new OpenChunks();
    const start = { attempt: 1, stdout: 0, stderr: 0 };
    open.take(chunk(5, 0, 10), start);
    open.take(chunk(7, 0, 4, "stderr"), start);
    open.take(chunk(9, 10, 10), start);
    expect(open.startSeq({ attempt: 1, stdout: 3, stderr: 4 })).toBe(5);
    expect(open.startSeq({ attempt: 1, stdout: 15, stderr: 2 })).toBe(7);
    expect(open.startSeq({ attempt: 1, stdout: 15, stderr: 4 })).toBe(9);
    expect(open.startSeq({ attempt: 1, stdout: 20, stderr: 4 })).toBe(10);
  });

  it("are not known for what is not remembered, and the oldest are forgotten", () => {
    const places = new LogPlaces();
    const filter = { task: "t", attempt: null, stream: null };
    const at = (stdout: number) => ({ attempt: 1, stdout, stderr: 0 });
    for (let offset = 0; offset <= 2_000; offset++) places.remember(filter, at(offset), offset + 10);
    expect(places.find(filter, at(0))).toBeNull();
    expect(places.find(filter, at(1))).toBe(11);
    expect(places.find({ ...filter, stream: "stdout" }, at(1))).toBeNull();
  });
});
