import { describe, expect, it } from "vitest";
import { bodies, historyStartMs, ledgerHistory, lifeOf } from "../../test/support/ledgerHistory.ts";
import { cursorOf } from "./feedCursor.ts";
import { feedMessageOf } from "./feedMessage.ts";

const history = ledgerHistory("acme").append("t1", ...lifeOf("f1"), bodies.erased());
const place = { epoch: "2026-11-29T20:00:00Z", eventsSeq: 5 };
const messages = history.events.map((stored) => feedMessageOf(stored, place));

describe("given an event of the ledger, its message in the feed", () => {
  it("is under the tenant, the transition and the task, for every transition", () => {
    expect(messages.map(({ subject }) => subject)).toEqual(
      ["submitted", "scheduled", "claimed", "running", "succeeded", "erased"].map(
        (transition) => `events.acme.task.${transition}.t1`,
      ),
    );
  });

  it("has the ledger's very bytes as its body", () => {
    for (const [index, { bytes }] of messages.entries()) expect(bytes).toBe(history.events[index]!.bytes);
  });

  it("has the CloudEvents attributes and the relay's cursor in its headers", () => {
    const fingerprint = Buffer.from(messages[4]!.bytes.subarray(2, 10)).reverse().toString("hex");
    expect(Object.fromEntries(messages[4]!.headers)).toEqual({
      "ce-specversion": "1.0",
      "ce-id": "e5",
      "ce-source": "/tenants/acme",
      "ce-type": "cazi.task.v1.succeeded",
      "ce-subject": "t1",
      "ce-time": new Date(historyStartMs + 5_000).toISOString(),
      "ce-datacontenttype": "application/avro",
      "ce-dataschema": `/v1/schemas/${fingerprint}`,
      "Cazi-Ledger-Epoch": "2026-11-29T20:00:00Z",
      "Cazi-Ledger-Seq": "5",
      "Cazi-Events-Seq": "5",
    });
  });

  it("carries the trace context where the event has one", () => {
    const stored = history.events[0]!;
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const message = feedMessageOf({ ...stored, event: { ...stored.event, traceparent } }, place);
    expect(new Map(message.headers).get("ce-traceparent")).toBe(traceparent);
  });

  it("says its own place, and nothing of the sort without the relay's headers", () => {
    const head = new Map(messages[4]!.headers.map(([key, value]) => [key, value]));
    const header = (name: string) => head.get(name);
    expect(cursorOf({ seq: 5, header })).toEqual({
      epoch: place.epoch,
      ledgerSeq: 5,
      eventsSeq: 5,
      eventId: "e5",
    });
    expect(cursorOf({ seq: 6, header })).toBeNull();
    expect(cursorOf({ seq: 5, header: () => undefined })).toBeNull();
  });
});
