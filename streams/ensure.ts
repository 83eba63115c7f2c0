import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  NatsError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "nats";
import { type BucketSpec, buckets } from "./buckets.ts";
import { type ConsumerSpec, transitionsConsumer } from "./consumers.ts";
import { type StreamSpec, streams } from "./streams.ts";
import { filters } from "./subjects.ts";

/**
 * Makes the server's streams, buckets and shared consumers what the files beside this one declare. Doing it
 * again changes nothing; a difference that can be updated is; an older server's refusal is not hidden.
 * @returns what it had to make or change, by name; empty when all was there
 */
export async function ensure(
  js: JetStreamClient,
  jsm: JetStreamManager,
  timing: { readonly leaseMs: number; readonly nodeOfflineMs: number; readonly replicas: number },
): Promise<readonly string[]> {
  const made = await Promise.all([
    ...streams.map((spec) => unlessOvertaken(() => ensureStream(jsm, spec, timing.replicas))),
    ...buckets(timing).map((spec) => unlessOvertaken(() => ensureBucket(js, jsm, spec, timing.replicas))),
  ]);
  made.push(await ensureConsumer(jsm, transitionsConsumer));
  return made.filter((name) => name !== null);
}

/** The stream's configuration as the server is asked for it. */
export function streamConfig(spec: StreamSpec, replicas: number): Partial<StreamConfig> {
  return {
    name: spec.name,
    description: spec.about,
    subjects: [...spec.subjects],
    retention: spec.retention === "limits" ? RetentionPolicy.Limits : RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: spec.discard === "new" ? DiscardPolicy.New : DiscardPolicy.Old,
    max_age: 0,
    max_bytes: spec.maxBytes,
    max_msg_size: spec.maxMessageBytes,
    max_msgs: -1,
    max_msgs_per_subject: -1,
    max_consumers: -1,
    duplicate_window: spec.duplicateWindowNs,
    num_replicas: replicas,
    // Erasure deletes by sequence; nothing may roll a whole subject up.
    allow_rollup_hdrs: false,
    deny_delete: false,
    deny_purge: false,
    // Refusals need the leader's answer; a direct get may come from a replica that is behind.
    allow_direct: false,
  };
}

async function ensureStream(
  jsm: JetStreamManager,
  spec: StreamSpec,
  replicas: number,
): Promise<string | null> {
  const wanted = streamConfig(spec, replicas);
  try {
    const { config } = await jsm.streams.info(spec.name);
    if (!differs(wanted, config)) return null;
    await jsm.streams.update(spec.name, wanted);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await jsm.streams.add(wanted);
  }
  return spec.name;
}

async function ensureBucket(
  js: JetStreamClient,
  jsm: JetStreamManager,
  spec: BucketSpec,
  replicas: number,
): Promise<string | null> {
  const stream = `${spec.kind === "kv" ? "KV" : "OBJ"}_${spec.name}`;
  const maxAge = spec.ttlMs * 1_000_000;
  try {
    const { config } = await jsm.streams.info(stream);
    const rollup = config.allow_rollup_hdrs && !spec.writtenByNodes;
    const same = config.max_age === maxAge && config.num_replicas === replicas;
    if (same && config.allow_rollup_hdrs === rollup) return null;
    // The server refuses a dedupe window longer than the life of a message.
    const duplicate_window =
      maxAge === 0 ? config.duplicate_window : Math.min(config.duplicate_window, maxAge);
    await jsm.streams.update(stream, {
      ...config,
      max_age: maxAge,
      duplicate_window,
      num_replicas: replicas,
      allow_rollup_hdrs: rollup,
    });
    return stream;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  if (spec.kind === "kv") {
    await js.views.kv(spec.name, {
      history: spec.history,
      ttl: spec.ttlMs,
      max_bytes: spec.maxBytes,
      replicas,
      description: spec.about,
    });
    if (spec.writtenByNodes) await jsm.streams.update(stream, { allow_rollup_hdrs: false });
  } else await jsm.streams.add(objectStreamConfig(spec, replicas));
  return stream;
}

/**
 * An object bucket's stream as the client's own object store makes it, which puts its `replicas` into the request as well:
 * servers from 2.12 on refuse a field that they do not know.
 */
function objectStreamConfig(spec: BucketSpec, replicas: number): Partial<StreamConfig> {
  return {
    name: `OBJ_${spec.name}`,
    description: spec.about,
    subjects: filters.objects({ bucket: spec.name }),
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: spec.ttlMs * 1_000_000,
    max_bytes: spec.maxBytes,
    num_replicas: replicas,
    allow_direct: true,
    allow_rollup_hdrs: true,
  };
}

/** Makes one durable consumer; a node calls it for its own. @returns its name when it was missing */
export async function ensureConsumer(jsm: JetStreamManager, spec: ConsumerSpec): Promise<string | null> {
  const wanted: Partial<ConsumerConfig> = {
    durable_name: spec.durable,
    description: spec.about,
    filter_subject: spec.filter,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: spec.ackWaitNs,
    max_deliver: spec.maxDeliver,
    max_ack_pending: spec.maxAckPending,
  };
  try {
    const { config } = await jsm.consumers.info(spec.stream, spec.durable);
    if (!differs(wanted, config)) return null;
    await jsm.consumers.update(spec.stream, spec.durable, wanted);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await jsm.consumers.add(spec.stream, wanted);
  }
  return `${spec.stream}/${spec.durable}`;
}

function differs(wanted: object, found: object): boolean {
  const answer = found as Record<string, unknown>;
  return Object.entries(wanted).some(([key, value]) => {
    // What the server leaves out of its answer is the zero value.
    const theirs = answer[key] ?? (typeof value === "boolean" ? false : typeof value === "number" ? 0 : "");
    return JSON.stringify(theirs) !== JSON.stringify(value);
  });
}

/** Stream name in use with another configuration, and subjects that overlap. */
const OVERTAKEN: ReadonlySet<number> = new Set([10058, 10065]);

/**
 * Of two processes that add the same stream at the same moment, the server tells one now and then that its subjects overlap with
 * a stream that exists: it looks for the name and for the subjects under two locks, and the other came in between. Looked at
 * again, the stream is there. A stranger's stream in the way is still in the way at the second look.
 */
async function unlessOvertaken<Made>(make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof NatsError) || !OVERTAKEN.has(error.api_error?.err_code ?? 0)) throw error;
    return make();
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.code === 404;
}
