import { describe, expect, it } from "vitest";
import type { FeedCursor } from "./feedCursor.ts";
import { contradicts, type Found, whereToGoOn } from "./whereToGoOn.ts";

const cursor = (more: Partial<FeedCursor> = {}): FeedCursor => ({
  epoch: "A",
  ledgerSeq: 40,
  eventsSeq: 30,
  eventId: "e40",
  ...more,
});
const found = (more: Partial<Found> = {}): Found => ({
  ledger: { epoch: "A", lastSeq: 50 },
  events: { lastSeq: 30, last: cursor() },
  kept: null,
  links: [],
  ...more,
});
const link = (from_epoch: string, to_epoch: string) => ({ from_epoch, to_epoch });

describe("given a feed and its ledger, a relay", () => {
  it("goes on after the feed's newest message, whatever the kept cursor says", () => {
    const place = { after: 40, eventsSeq: 30, witness: "e40" };
    expect(whereToGoOn(found())).toEqual(place);
    expect(whereToGoOn(found({ kept: cursor({ ledgerSeq: 10, eventsSeq: 9 }) }))).toEqual(place);
    expect(whereToGoOn(found({ kept: cursor({ ledgerSeq: 49, eventsSeq: 39 }) }))).toEqual(place);
  });

  it("begins at the ledger's start where the feed never had a message, also when it was made anew", () => {
    const never = { lastSeq: 0, last: null };
    const start = { after: 0, eventsSeq: 0, witness: null };
    expect(whereToGoOn(found({ events: never }))).toEqual(start);
    expect(whereToGoOn(found({ events: never, kept: cursor() }))).toEqual(start);
  });

  it("takes the kept cursor for a feed that was emptied and is as long as it says", () => {
    const emptied = { lastSeq: 30, last: null };
    expect(whereToGoOn(found({ events: emptied, kept: cursor() }))).toMatchObject({ after: 40 });
    for (const kept of [null, cursor({ eventsSeq: 29 })])
      expect(whereToGoOn(found({ events: emptied, kept }))).toMatchObject({
        stop: { code: "FEED_PLACE_LOST" },
      });
  });

  it("stops at a message that is not its own", () => {
    expect(whereToGoOn(found({ events: { lastSeq: 30, last: "foreign" } }))).toMatchObject({
      stop: { code: "FEED_FOREIGN_MESSAGE" },
    });
  });

  it("stops beside a ledger that is shorter than what was fed", () => {
    expect(whereToGoOn(found({ ledger: { epoch: "A", lastSeq: 39 } }))).toMatchObject({
      stop: { code: "LEDGER_REGRESSED", message: "the feed reaches sequence 40, the ledger ends at 39" },
    });
    expect(whereToGoOn(found({ ledger: { epoch: "A", lastSeq: 40 } }))).toMatchObject({ after: 40 });
  });

  it("stops beside a ledger of another life that no repair speaks of", () => {
    const other = { epoch: "C", lastSeq: 50 };
    for (const links of [[], [link("B", "C")], [link("A", "B")], [link("C", "A")], [link("A", "A")]])
      expect(whereToGoOn(found({ ledger: other, links }))).toMatchObject({
        stop: { code: "LEDGER_REGRESSED" },
      });
  });

  it("goes on at the same sequence in a repaired ledger, over one repair or several", () => {
    const repaired = found({ ledger: { epoch: "C", lastSeq: 50 }, links: [link("B", "C"), link("A", "B")] });
    expect(whereToGoOn(repaired)).toEqual({ after: 40, eventsSeq: 30, witness: "e40" });
    expect(whereToGoOn({ ...repaired, links: [link("A", "C")] })).toMatchObject({ after: 40 });
    const twice = [link("A", "X"), link("X", "A"), link("A", "B"), link("B", "C")];
    expect(whereToGoOn({ ...repaired, links: twice })).toMatchObject({ after: 40 });
  });
});

describe("given the event that stands where the feed is", () => {
  it("refuses a ledger that has another event there, however long it is", () => {
    expect(contradicts("e40", "x40", 40)).toMatchObject({ code: "LEDGER_REGRESSED" });
  });

  it("accepts the same event, one that was erased, and the very start", () => {
    expect(contradicts("e40", "e40", 40)).toBeNull();
    expect(contradicts("e40", null, 40)).toBeNull();
    expect(contradicts(null, "e1", 1)).toBeNull();
  });
});
