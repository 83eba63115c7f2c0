import type { ConsumerInfo, Lister, StreamInfo } from "nats";
import { feedHeaders } from "../../../schemas/messages/feed.ts";
import type { LiveFold } from "../../../services/kernel/ledger/liveFold.ts";
import type { SetGauge } from "../../../services/kernel/metrics/metrics.ts";
import type { Nats } from "../../../services/kernel/nats/connectNats.ts";
import { eventsStream, ledgerStream } from "../../../streams/streams.ts";
import type { Positions } from "./watchPositions.ts";

/** The server gives 256 in an answer: enough for every stream, and for the consumers of 2,000 nodes. */
const PAGES_MAX = 8;
/** Work queues, whose messages somebody must take and acknowledge. */
const QUEUES = ["CLAIMS", "REPORTS"];

export interface StreamPorts {
  readonly nats: Nats;
  readonly live: Pick<LiveFold, "tasks">;
  readonly shard: number;
  /** The ledger's life. */
  readonly epoch: string;
  readonly positions: Positions;
}

/** What the streams hold, who is behind the ledger, and what is not acknowledged. */
export async function streamGauges(ports: StreamPorts, set: SetGauge): Promise<void> {
  const { nats, shard } = ports;
  // Tells nothing about a server that nobody is connected to; asking would only wait.
  const { projected, projectorSilentMs } = ports.positions.look();
  set("cazi_projector_silence_seconds", {}, projectorSilentMs / 1000);
  if (!nats.connected()) throw new Error("there is no connection to NATS");
  const [streams, ...queues] = await Promise.all([
    pages(nats.jsm.streams.list()),
    ...QUEUES.map((stream) => pages(nats.jsm.consumers.list(stream))),
  ]);
  for (const stream of streams) streamSize(stream, set);
  for (const [at, stream] of QUEUES.entries()) queueLengths(stream, queues[at] ?? [], set);
  const ledger = streams.find(({ config }) => config.name === ledgerStream(shard));
  if (ledger === undefined) return;
  const last = ledger.state.last_seq;
  set("cazi_ledger_last_sequence", {}, last);
  set("cazi_fold_lag_events", {}, Math.max(0, last - ports.live.tasks.position));
  if (projected !== null) set("cazi_projector_lag_events", {}, Math.max(0, last - projected));
  const events = streams.find(({ config }) => config.name === eventsStream(shard));
  if (events !== undefined) await feedBehindTheLedger(ports, last, events.state, set);
}

function streamSize({ config, state }: StreamInfo, set: SetGauge): void {
  const stream = config.name;
  if (stream === "DEADLETTERS") set("cazi_dead_letters", {}, state.messages);
  set("cazi_stream_messages", { stream }, state.messages);
  set("cazi_stream_bytes", { stream }, state.bytes);
  if (config.max_bytes <= 0) return;
  set("cazi_stream_limit_bytes", { stream }, config.max_bytes);
  set("cazi_stream_used_ratio", { stream }, state.bytes / config.max_bytes);
}

/** All consumers of a queue together: of CLAIMS every node has one. */
function queueLengths(stream: string, consumers: readonly ConsumerInfo[], set: SetGauge): void {
  const sum = (of: (one: ConsumerInfo) => number) => consumers.reduce((total, one) => total + of(one), 0);
  set(
    "cazi_consumer_pending",
    { stream },
    sum((one) => one.num_pending),
  );
  set(
    "cazi_consumer_ack_pending",
    { stream },
    sum((one) => one.num_ack_pending),
  );
  set(
    "cazi_consumer_redelivered",
    { stream },
    sum((one) => one.num_redelivered),
  );
}

/** The feed's own last message says how far it is, wherever a relay runs and after it died. */
async function feedBehindTheLedger(
  { nats, shard, epoch }: StreamPorts,
  last: number,
  feed: StreamInfo["state"],
  set: SetGauge,
): Promise<void> {
  if (feed.messages === 0) return set("cazi_relay_lag_events", {}, last);
  const { header } = await nats.jsm.streams.getMessage(eventsStream(shard), { seq: feed.last_seq });
  const relayed = Number(header.get(feedHeaders.ledgerSeq));
  // Of another ledger, or not the relay's: then the relay itself is in trouble, and says so.
  if (header.get(feedHeaders.epoch) !== epoch || !Number.isSafeInteger(relayed)) return;
  set("cazi_relay_lag_events", {}, Math.max(0, last - relayed));
}

async function pages<T>(lister: Lister<T>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 0; page < PAGES_MAX; page++) {
    const found = await lister.next();
    if (found.length === 0) break;
    all.push(...found);
  }
  return all;
}
