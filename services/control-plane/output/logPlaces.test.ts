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
    const at = (stdout: number, stderr: number) => open.placeOf({ attempt: 1, stdout, stderr });
    expect(at(3, 4)).toEqual({ seq: 5, begun: {} });
    expect(at(15, 2)).toEqual({ seq: 7, begun: {} });
    expect(at(15, 4)).toEqual({ seq: 9, begun: {} });
    expect(at(20, 4)).toEqual({ seq: 10, begun: {} });
  });

  it("leave out what another stream printed since a line began far before", () => {
    const start = { attempt: 1, stdout: 0, stderr: 0 };
    const open = new OpenChunks();
    open.take(chunk(5, 0, 4, "stderr"), start);
    for (let n = 0; n < 20; n++) open.take(chunk(10 + n, n * 10, 10), { ...start, stdout: n * 10 });
    const place = { seq: 29, begun: { stderr: 5 } };
    expect(open.placeOf({ ...start, stdout: 195 })).toEqual(place);
    expect(open.placeOf({ ...start, stdout: 195, stderr: 4 })).toEqual({ seq: 29, begun: {} });
    const next = new OpenChunks(place.seq);
    next.takeBegun(chunk(5, 0, 4, "stderr"));
    expect(next.placeOf({ ...start, stdout: 195 })).toEqual(place);
    next.take(chunk(29, 190, 10), { ...start, stdout: 195 });
    next.take(chunk(30, 4, 2, "stderr"), { ...start, stdout: 200 });
    expect(next.placeOf({ ...start, stdout: 200 })).toEqual({ seq: 30, begun: { stderr: 5 } });
  });

  it("are not known for what is not remembered, and the oldest are forgotten", () => {
    const places = new LogPlaces();
    const filter = { task: "t", attempt: null, stream: null };
    const at = (stdout: number) => ({ attempt: 1, stdout, stderr: 0 });
    for (let offset = 0; offset <= 2_000; offset++)
      places.remember(filter, at(offset), { seq: offset + 10, begun: {} });
    expect(places.find(filter, at(0))).toBeNull();
    expect(places.find(filter, at(1))?.seq).toBe(11);
    expect(places.find({ ...filter, stream: "stdout" }, at(1))).toBeNull();
  });
});
