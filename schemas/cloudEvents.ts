/**
 * An event of the ledger as a CloudEvent 1.0. On JetStream in binary mode of the NATS binding: each attribute a
 * header `ce-<name>`, percent-encoded, the body the ledger's own Avro bytes. Over HTTP as JSON.
 */
import type { TaskEvent } from "./taskEvents.ts";

export interface CloudEventAttributes {
  readonly specversion: "1.0";
  /** The event's id in the ledger: the same for ever, whichever way it comes. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** The task. */
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: string;
  /** Path at the API of the schema of the Avro form. */
  readonly dataschema: string;
  /** W3C trace context; left out where the event has none. */
  readonly traceparent?: string;
}

/** Avro single-object encoding: `C3 01`, fingerprint, datum. */
export const avroMediaType = "application/avro";
export const attributeNames = [
  "specversion",
  "id",
  "source",
  "type",
  "subject",
  "time",
  "datacontenttype",
  "dataschema",
  "traceparent",
] as const satisfies readonly (keyof CloudEventAttributes)[];

/** `cazi.task.v1.succeeded`: what a subscriber of any transport filters by. */
export function cloudEventType(transition: string): string {
  return `cazi.task.v1.${transition}`;
}

/** Where the schema with this fingerprint is served. */
export function schemaPath(fingerprint: string): string {
  return `/v1/schemas/${fingerprint}`;
}

/** Fingerprint in the head of an Avro single-object encoding, 16 hex digits as in {@link schemaPath}. */
export function fingerprintOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(2, 10)).reverse().toString("hex");
}

/** The attributes of an event, in the order of {@link attributeNames}. */
export function cloudEventOf(event: TaskEvent, bytes: Uint8Array): CloudEventAttributes {
  const { id, at, tenant, task, traceparent, body } = event;
  return {
    specversion: "1.0",
    id,
    source: `/tenants/${tenant}`,
    type: cloudEventType(body.type),
    subject: task,
    time: new Date(at).toISOString(),
    datacontenttype: avroMediaType,
    dataschema: schemaPath(fingerprintOf(bytes)),
    ...(traceparent === null ? {} : { traceparent }),
  };
}

/** The headers of the binary mode: name and value, percent-encoded. */
export function cloudEventHeaders(attributes: CloudEventAttributes): readonly (readonly [string, string])[] {
  return attributeNames.flatMap((name) => {
    const value = attributes[name];
    return value === undefined ? [] : [[`ce-${name}`, percentEncode(value)] as const];
  });
}

/** As the HTTP binding (3.1.3.2): all but visible ASCII, and `"` and `%`, byte by byte. No CR or LF passes. */
export function percentEncode(value: string): string {
  if (PLAIN.test(value)) return value;
  let text = "";
  for (const byte of Buffer.from(value, "utf8")) {
    const isPlain = byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x25;
    text += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

const PLAIN = /^[\x21\x23\x24\x26-\x7e]*$/;
