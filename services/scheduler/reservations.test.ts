import { describe, expect, it } from "vitest";
import { Reservations } from "./reservations.ts";

describe("room given away but not yet seen taken", () => {
  it("counts until the fold has reached its event", () => {
    const room = new Reservations();
    room.take("t1", "n1");
    room.take("t2", "n1");
    room.appended("t1", 7);
    room.settle(6);
    expect([room.countOn("n1"), room.has("t1")]).toEqual([2, true]);
    room.settle(7);
    expect([room.countOn("n1"), room.has("t1"), room.has("t2")]).toEqual([1, false, true]);
  });

  it("comes back once when the attempt could not be offered", () => {
    const room = new Reservations();
    room.take("t1", "n1");
    room.release("t1");
    room.release("t1");
    expect([room.countOn("n1"), room.size]).toEqual([0, 0]);
  });
});
