import { describe, expect, it } from "vitest";
import { diskEpisode } from "./diskEpisode.ts";

const MIB = 1024 ** 2;

/** Free space as it was seen, one look after the other; true where the servers are started again. */
function restarts(...freeMib: readonly number[]): boolean[] {
  let starved = false;
  return freeMib.map((mib) => {
    const step = diskEpisode(starved, mib * MIB);
    starved = step.starved;
    return step.restart;
  });
}

describe("a disk that was full", () => {
  it("ends with one restart, once there is room again", () => {
    expect(restarts(500, 10, 0, 20, 70, 500)).toEqual([false, false, false, false, true, false]);
  });

  it("is none while there is room, however little", () => {
    expect(restarts(500, 20, 40, 20, 500)).toEqual([false, false, false, false, false]);
  });

  it("may come again", () => {
    expect(restarts(0, 100, 0, 100)).toEqual([false, true, false, true]);
  });
});
