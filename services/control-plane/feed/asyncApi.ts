/**
 * The public feed as an AsyncAPI 3.0 document: a channel for each transition, its message with the Avro schema that this
 * version writes, and the headers. Made from `schemas/` and `streams/`: a new transition is in it by itself.
 */
import { attributeNames, avroMediaType, cloudEventType } from "../../../schemas/cloudEvents.ts";
import type { LoadedSchema } from "../../../schemas/loadSchemas.ts";
import { feedHeaders } from "../../../schemas/messages/feed.ts";
import { currentSchemas, recordName } from "../../../schemas/taskEvents.ts";
import { importedApiPrefix } from "../../../streams/accounts.ts";
import { HOME_SUBSCRIBER, subscriberConsumer } from "../../../streams/consumers.ts";
import { DEFAULT_SHARD, eventsStream } from "../../../streams/streams.ts";
import { addresses } from "../../../streams/subjects.ts";
import type { TaskEventType } from "../../domain/task/taskEvent.ts";

const SCHEMA_FORMAT = "application/vnd.apache.avro;version=1.9.0";
const stream = eventsStream(DEFAULT_SHARD);
const consumer = subscriberConsumer({ durable: HOME_SUBSCRIBER, tenant: "default" });

/** @param version of the interface */
export function asyncApiDocument(version: string): object {
  const all = [...currentSchemas];
  return {
    asyncapi: "3.0.0",
    info: { title: "Cazi: the public feed", version, description, license: { name: "Apache-2.0" } },
    defaultContentType: avroMediaType,
    servers: {
      nats: {
        host: "{host}",
        protocol: "nats",
        description: "JetStream. Each subscriber has an account of its own that imports its tenant's feed.",
        variables: { host: { default: "127.0.0.1:4222", description: "Host and port of the NATS server." } },
      },
    },
    channels: Object.fromEntries(
      all.map(([transition, schema]) => [transition, channelOf(transition, schema)]),
    ),
    operations: Object.fromEntries(
      all.map(([transition]) => [`send${recordName(transition)}`, sendOf(transition)]),
    ),
    components: {
      messages: Object.fromEntries(
        all.map(([transition, schema]) => [recordName(transition), messageOf(transition, schema)]),
      ),
    },
  };
}

const description = [
  `Every transition of every task, exactly once and in order, in the stream ${stream}. Headers are the attributes of`,
  "CloudEvents 1.0 (NATS binding, binary mode, percent-encoded); the body is an Avro single-object encoding: `C3 01`, the",
  "fingerprint (little-endian), the datum. The schema with that fingerprint is at `ce-dataschema`, for ever.",
  `A subscriber reads the consumer ${consumer.durable} of that stream under the API prefix ${importedApiPrefix}, and`,
  "acknowledges. The same events are server-sent events at `/v1/events/stream`: in JSON, with the state under `data.state`",
  "and times as text; with `format=avro` these very bytes. `dataschema` names the schema of the Avro form with both.",
].join(" ");

function channelOf(transition: TaskEventType, schema: LoadedSchema): object {
  return {
    address: addresses.event({ kind: "task", transition }),
    description: documentation(schema),
    servers: [{ $ref: "#/servers/nats" }],
    parameters: {
      tenant: { description: "Whose task it is." },
      id: { description: "The task's id." },
    },
    messages: { event: { $ref: `#/components/messages/${recordName(transition)}` } },
  };
}

function sendOf(transition: TaskEventType): object {
  return {
    action: "send",
    channel: { $ref: `#/channels/${transition}` },
    messages: [{ $ref: `#/channels/${transition}/messages/event` }],
  };
}

function messageOf(transition: TaskEventType, schema: LoadedSchema): object {
  return {
    name: schema.name,
    title: recordName(transition),
    summary: documentation(schema),
    contentType: avroMediaType,
    headers: headersOf(transition, schema),
    payload: { schemaFormat: SCHEMA_FORMAT, schema: JSON.parse(schema.text) },
  };
}

function headersOf(transition: TaskEventType, schema: LoadedSchema): object {
  const attributes = Object.fromEntries(attributeNames.map((name) => [`ce-${name}`, { type: "string" }]));
  return {
    type: "object",
    required: attributeNames.filter((name) => name !== "traceparent").map((name) => `ce-${name}`),
    properties: {
      ...attributes,
      "ce-specversion": { type: "string", const: "1.0" },
      "ce-id": { type: "string", description: "The event's id in the ledger: deduplicate by it." },
      "ce-type": { type: "string", const: cloudEventType(transition) },
      "ce-time": { type: "string", format: "date-time" },
      "ce-dataschema": {
        type: "string",
        description: `Path of the writer's schema; this version writes ${schema.fingerprint}.`,
      },
      "ce-traceparent": { type: "string", description: "W3C trace context, where the event has one." },
      [feedHeaders.epoch]: { type: "string", description: "The ledger's life." },
      [feedHeaders.ledgerSeq]: { type: "string", description: "Place in the ledger." },
      [feedHeaders.eventsSeq]: {
        type: "string",
        description: "Place in the feed: the message's own sequence.",
      },
    },
  };
}

function documentation(schema: LoadedSchema): string {
  return (JSON.parse(schema.text) as { doc?: string }).doc ?? schema.name;
}
