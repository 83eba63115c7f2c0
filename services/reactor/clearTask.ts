import { decodeTaskEvent, type TaskEvent } from "../../schemas/taskEvents.ts";
import { eventsStream, ledgerStream } from "../../streams/streams.ts";
import { type LogStream, subjects } from "../../streams/subjects.ts";
import { getNextOf, isNoMessage } from "../kernel/ledger/appendEvent.ts";
import type { TaskKey } from "../kernel/ledger/taskLedger.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";

/** A task that is erased: where its tombstone stands in the ledger. */
export interface Tombstone extends TaskKey {
  readonly seq: number;
}

export interface ClearPorts {
  readonly nats: Pick<Nats, "jsm">;
  readonly shard: number;
  /** Removes the files that the task published; called while its events are still there. */
  readonly removeArtifacts: (key: TaskKey) => Promise<void>;
  /** Sequences in DEADLETTERS of messages about the task. */
  readonly deadLettersOf: (task: string) => readonly number[];
  /** Streams without a message, a moment ago: they are not asked. */
  readonly emptyStreams: ReadonlySet<string>;
  /** Asked before each deletion; throws when this process may no longer act, or the ledger is not what it was. */
  readonly mayGoOn: () => void;
}

/** A subject that may hold messages of the task, and how many at most; null for any number. */
interface Place {
  readonly stream: string;
  readonly subject: string;
  readonly count: number | null;
}

const logStreams: readonly LogStream[] = ["stdout", "stderr"];

/**
 * Deletes everything of an erased task that streams and buckets hold, all but its tombstone. May die after any step
 * and be done again: what the ledger still holds says where to look, and it goes last, the oldest event first. So a
 * task whose tombstone is the only message of its subject is cleared, and costs one question.
 *
 * INV-TOMBSTONE-STAYS: nothing is deleted at or after the tombstone: neither in the ledger, where a subject without a
 * message would be born again, nor in the feed, where the relay's place is its newest message.
 * @throws what the server answers, and what `mayGoOn` throws
 */
export async function clearTask(ports: ClearPorts, tombstone: Tombstone): Promise<void> {
  const { nats, shard, mayGoOn } = ports;
  const history = await historyBefore(nats, shard, tombstone);
  if (history.length === 0) return;
  const events = history.map(({ event }) => event);
  if (events.some(({ body }) => body.type === "artifact_stored")) await ports.removeArtifacts(tombstone);
  for (const place of [...nodePlaces(tombstone, events), ...feedPlaces(shard, tombstone, events)])
    if (!ports.emptyStreams.has(place.stream)) await emptyPlace(ports, place);
  for (const seq of ports.deadLettersOf(tombstone.task)) await deleteMessage(ports, "DEADLETTERS", seq);
  for (const { seq } of history) {
    mayGoOn();
    await deleteMessage(ports, ledgerStream(shard), seq);
  }
}

interface Held {
  readonly seq: number;
  readonly event: TaskEvent;
}

/** What the ledger still holds of the task before its tombstone, oldest first. */
async function historyBefore(
  nats: ClearPorts["nats"],
  shard: number,
  { tenant, task, seq: end }: Tombstone,
): Promise<readonly Held[]> {
  const subject = subjects.ledger({ tenant, kind: "task", id: task });
  const held: Held[] = [];
  for (let from = 1; ; ) {
    const message = await getNextOf(nats.jsm, ledgerStream(shard), subject, from);
    if (message.seq >= end) return held;
    held.push({ seq: message.seq, event: decodeTaskEvent(message.data) });
    from = message.seq + 1;
  }
}

/** Offers to nodes, their reports, and what containers wrote, of every attempt. */
function nodePlaces({ task }: TaskKey, events: readonly TaskEvent[]): readonly Place[] {
  const places: Place[] = [];
  const nodes = new Set<string>();
  for (const { body, state } of events) {
    if (body.type !== "scheduled" || !("attempt" in state)) continue;
    nodes.add(body.node);
    for (const stream of logStreams) {
      const subject = subjects.log({ node: body.node, task, attempt: state.attempt, stream });
      places.push({ stream: "LOGS", subject, count: null });
    }
  }
  for (const node of nodes) {
    places.push({ stream: "CLAIMS", subject: subjects.claim({ node, task }), count: null });
    places.push({ stream: "REPORTS", subject: subjects.report({ node, task }), count: null });
  }
  return places;
}

/** The relay is past the tombstone: the feed has each event once, on the subject of its transition. */
function feedPlaces(
  shard: number,
  { tenant, task }: TaskKey,
  events: readonly TaskEvent[],
): readonly Place[] {
  const counts = new Map<string, number>();
  for (const { body } of events) counts.set(body.type, (counts.get(body.type) ?? 0) + 1);
  return [...counts].map(([transition, count]) => ({
    stream: eventsStream(shard),
    subject: subjects.event({ tenant, kind: "task", transition, id: task }),
    count,
  }));
}

/**
 * Deletes a subject's messages one by one: a purge by subject costs a hundred times as much among 100,000 subjects.
 * Always asked from the beginning, where the server knows each subject's first message; after its last it searches.
 */
async function emptyPlace(ports: ClearPorts, { stream, subject, count }: Place): Promise<void> {
  for (let left = count ?? Number.POSITIVE_INFINITY; left > 0; left--) {
    const seq = await firstOf(ports.nats, stream, subject);
    if (seq === null) return;
    ports.mayGoOn();
    await deleteMessage(ports, stream, seq);
  }
}

async function firstOf(nats: ClearPorts["nats"], stream: string, subject: string): Promise<number | null> {
  try {
    return (await getNextOf(nats.jsm, stream, subject, 1)).seq;
  } catch (error) {
    if (isNoMessage(error)) return null;
    throw error;
  }
}

/**
 * Deletes a message; one that is gone already is no error. The server frees its bytes when it rewrites the block of the
 * file; overwriting them at once would sync the file for each message, and hold up every append meanwhile.
 */
async function deleteMessage({ nats }: ClearPorts, stream: string, seq: number): Promise<void> {
  try {
    await nats.jsm.streams.deleteMessage(stream, seq, false);
  } catch (error) {
    const gone = await nats.jsm.streams.getMessage(stream, { seq }).then(() => false, isNoMessage);
    if (!gone) throw error;
  }
}
