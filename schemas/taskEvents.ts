/**
 * Task events as bytes: Avro single-object encoding, `C3 01`, the schema's fingerprint (little-endian), the
 * datum. What this version writes is in `schemas/task/`; what any released version wrote is in
 * `schemas/released/<fingerprint>.json` and stays readable for ever.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type avro from "avsc";
import type { TaskEventBody, TaskEventType } from "../services/domain/task/taskEvent.ts";
import { taskEventTypes } from "../services/domain/task/taskEvent.ts";
import type { CarriedTask, ErasedTask, Who } from "../services/domain/task/taskState.ts";
import { Poison } from "../services/kernel/errors.ts";
import { projectRoot } from "../services/kernel/projectRoot.ts";
import { type LoadedSchema, loadSchema, loadSources } from "./loadSchemas.ts";

/** A fact in the ledger. */
export interface TaskEvent {
  readonly id: string;
  /** Milliseconds since 1970, the writer's clock. */
  readonly at: number;
  readonly tenant: string;
  readonly task: string;
  readonly traceparent: string | null;
  /** Who wrote it, for whom, by which door; null in events of versions that did not say. */
  readonly by: Who | null;
  readonly body: TaskEventBody;
  /** The task after this event. */
  readonly state: CarriedTask | ErasedTask;
}

const NAMESPACE = "cazi.task.v1";
const MARKER = Buffer.from([0xc3, 0x01]);
const HEADER_BYTES = 10;

const sources = loadSources("task");
const released = readReleased();

/** The schema this version writes for each transition. */
export const currentSchemas: ReadonlyMap<TaskEventType, LoadedSchema> = new Map(
  taskEventTypes.map((type) => [type, sources.get(`${NAMESPACE}.${recordName(type)}`)!]),
);

interface Reader {
  readonly type: TaskEventType;
  decode(datum: Buffer): unknown;
}

/** Made for what is met: those of a few transitions in most processes. */
const headers = new Map<TaskEventType, Buffer>();
const readers = new Map<string, Reader>();

/** Every schema that a stored event may have, once each. */
export function allSchemas(): readonly LoadedSchema[] {
  const all = [...released.values(), ...currentSchemas.values()];
  return [...new Map(all.map((schema) => [schema.fingerprint, schema])).values()];
}

/** Every schema that a stored event may have, by fingerprint (16 hex digits). */
export function findSchema(fingerprint: string): LoadedSchema | undefined {
  return (
    released.get(fingerprint) ?? [...currentSchemas.values()].find((one) => one.fingerprint === fingerprint)
  );
}

/** `cancel_requested` → `CancelRequested`. */
export function recordName(type: TaskEventType): string {
  return type.replace(/(^|_)([a-z])/g, (_all, _gap, letter: string) => letter.toUpperCase());
}

/** The event as the bytes that go into the ledger. */
export function encodeTaskEvent(event: TaskEvent): Buffer {
  const schema = currentSchemas.get(event.body.type)!;
  const { id, at, tenant, task, traceparent, by, body, state } = event;
  const datum = schema.type.toBuffer({
    ...body,
    event_id: id,
    at,
    tenant,
    task,
    traceparent,
    by,
    state,
  });
  return Buffer.concat([headerOf(event.body.type), datum], HEADER_BYTES + datum.length);
}

/**
 * The event in `bytes`.
 * @throws Poison `EVENT_UNDECODABLE`; `EVENT_UNKNOWN` when a newer version wrote it: upgrade readers first
 */
export function decodeTaskEvent(bytes: Uint8Array): TaskEvent {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < HEADER_BYTES || !buffer.subarray(0, 2).equals(MARKER)) {
    throw new Poison("EVENT_UNDECODABLE", "the bytes are not an Avro single-object encoding");
  }
  const fingerprint = Buffer.from(buffer.subarray(2, HEADER_BYTES)).reverse().toString("hex");
  const reader = readers.get(fingerprint) ?? makeReader(fingerprint);
  if (reader === undefined) {
    throw new Poison("EVENT_UNKNOWN", `no schema with fingerprint ${fingerprint}`, {
      hint: "A newer version wrote this event. Upgrade readers before writers.",
    });
  }
  return fromRecord(reader.type, decodeDatum(reader, buffer));
}

function decodeDatum(reader: Reader, buffer: Buffer): Record<string, unknown> {
  try {
    return reader.decode(buffer.subarray(HEADER_BYTES)) as Record<string, unknown>;
  } catch (cause) {
    throw new Poison("EVENT_UNDECODABLE", "the bytes do not follow their schema", { cause });
  }
}

function fromRecord(type: TaskEventType, record: Record<string, unknown>): TaskEvent {
  const { event_id, at, tenant, task, traceparent, by, state, ...data } = record;
  // Written once: a first event's own trace is the task's.
  const intent = type === "submitted" || type === "blocked" ? { traceparent } : {};
  return {
    id: event_id,
    at,
    tenant,
    task,
    traceparent,
    by,
    body: { type, ...data, ...intent },
    state: state ?? { status: "erased" },
  } as unknown as TaskEvent;
}

function headerOf(type: TaskEventType): Buffer {
  const known = headers.get(type);
  if (known !== undefined) return known;
  const { fingerprint } = currentSchemas.get(type)!;
  const made = Buffer.concat([MARKER, Buffer.from(fingerprint, "hex").reverse()]);
  headers.set(type, made);
  return made;
}

/** Old bytes are read with the schema that wrote them, into the shape of today's. */
function makeReader(fingerprint: string): Reader | undefined {
  const written = findSchema(fingerprint);
  const current = [...currentSchemas].find(([, schema]) => schema.name === written?.name);
  if (written === undefined || current === undefined) return undefined;
  const [type, schema] = current;
  const resolver =
    schema.fingerprint === written.fingerprint ? undefined : schema.type.createResolver(written.type);
  const reader = { type, decode: (datum: Buffer) => (schema.type as avro.Type).fromBuffer(datum, resolver) };
  readers.set(fingerprint, reader);
  return reader;
}

/** A released file's name is its fingerprint; a test holds them together. */
function readReleased(): ReadonlyMap<string, LoadedSchema> {
  const folder = join(projectRoot, "schemas", "released");
  const loaded = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => loadSchema(JSON.parse(readFileSync(join(folder, name), "utf8")), basename(name, ".json")));
  return new Map(loaded.map((schema) => [schema.fingerprint, schema]));
}
