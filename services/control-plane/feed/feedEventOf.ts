import type { FeedEvent } from "../../../schemas/api/feed.ts";
import { cloudEventOf } from "../../../schemas/cloudEvents.ts";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { taskEventOf } from "../reads/taskEventOf.ts";
import type { FeedEntry } from "./feedSource.ts";
import { stateInJson } from "./stateInJson.ts";

/** An event of the feed as a CloudEvent in JSON. @throws Poison as `decodeTaskEvent` */
export function feedEventOf(entry: FeedEntry, format: "json" | "avro"): FeedEvent {
  const event = decodeTaskEvent(entry.bytes);
  const attributes = cloudEventOf(event, entry.bytes);
  if (format === "avro") return { ...attributes, data_base64: Buffer.from(entry.bytes).toString("base64") };
  return {
    ...attributes,
    datacontenttype: "application/json",
    data: { ...taskEventOf(entry.ledgerSeq, entry.bytes), state: stateInJson(event.state) },
  };
}
