/** The public feed as server-sent events, and the schemas of its events. */
import { z } from "zod";
import { taskEventTypes } from "../../services/domain/task/taskEvent.ts";
import { page } from "./page.ts";
import { severalOf } from "./parameters.ts";
import { taskEvent } from "./taskEvent.ts";
import { timestamp } from "./timestamp.ts";

/** `<sequence>-<life>`: a place in the feed, and which feed it is a place in. The life may be left out. */
export const feedPlaceText = z.string().regex(/^\d{1,15}(-[0-9a-f]{8})?$/, {
  error: "must be the id of an event of this feed, such as 1204-9f86d081",
});

export const transition = z.enum(taskEventTypes);

export const followFeedQuery = z.strictObject({
  types: severalOf(transition, taskEventTypes.length)
    .optional()
    .describe("Only these transitions, separated by commas or given several times; all unless given."),
  after: feedPlaceText
    .optional()
    .describe(
      "Only what comes after this id; 0 for all there is. Unless given, what comes from now on. `Last-Event-ID` wins.",
    ),
  format: z
    .enum(["json", "avro"])
    .default("json")
    .describe("The event as JSON in `data`, or its very bytes in `data_base64`."),
});
export type FollowFeedQuery = z.output<typeof followFeedQuery>;

/** Where a reader goes on. An empty one is refused too: it says that a place was lost. */
export const followFeedHeaders = z.object({
  "last-event-id": feedPlaceText
    .optional()
    .describe("Where a reader goes on: the id of the last event that it dealt with. It wins over `after`."),
});

/** What the JSON form of an event says: what the list of events does, and the state that the Avro form carries. */
export const feedEventData = taskEvent.extend({
  state: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      "The task's state after the event, by the names of the Avro record `State`; times in it are RFC 3339 text. " +
        "Null after `erased`.",
    ),
});

/** The data of an event `task`: a CloudEvent in its JSON form. */
export const feedEvent = z.object({
  specversion: z.literal("1.0"),
  id: z.string().describe("The event's id: the same in the ledger, on JetStream and here."),
  source: z.string(),
  type: z.string().describe("`cazi.task.v1.` and the transition."),
  subject: z.string().describe("The task."),
  time: timestamp,
  datacontenttype: z.string(),
  dataschema: z.string().describe("Path of the schema of the Avro form, with either format."),
  traceparent: z.string().optional(),
  data: feedEventData.optional().describe("With `format=json`."),
  data_base64: z
    .string()
    .optional()
    .describe("With `format=avro`: an Avro single-object encoding (`C3 01`, fingerprint, datum)."),
});
export type FeedEvent = z.output<typeof feedEvent>;

/** The data of an event `start`, the first of each stream. */
export const feedStart = z.object({
  first: z
    .number()
    .int()
    .describe("Sequence of the oldest event that is kept; of the next one where none is."),
  last: z.number().int().describe("Sequence of the newest event."),
});
export type FeedStart = z.output<typeof feedStart>;

/** The data of an event `gap`: here events are missing that the reader asked for. */
export const feedGap = z.object({
  reason: z
    .enum(["pruned", "beyond", "other_life"])
    .describe(
      "pruned: they were removed by age or size; beyond: the feed never was that long; other_life: the feed was made anew.",
    ),
  from: z
    .number()
    .int()
    .nullable()
    .describe("First missing sequence; null where sequences cannot be compared."),
  to: z.number().int().nullable().describe("Last missing sequence."),
});
export type FeedGap = z.output<typeof feedGap>;

export const schemaParams = z.object({
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe("16 hex digits, the most significant byte first."),
});

export const schemaInfo = z.object({
  fingerprint: z.string().describe("CRC-64-AVRO of the canonical form, 16 hex digits."),
  name: z.string(),
  transition: z
    .string()
    .nullable()
    .describe("The transition it describes; null for one that is written no more."),
  current: z.boolean().describe("Whether this version writes it."),
  sha256: z
    .string()
    .describe("Of the text, which has defaults and documentation that the fingerprint ignores."),
});
export const schemaPage = page(schemaInfo);
