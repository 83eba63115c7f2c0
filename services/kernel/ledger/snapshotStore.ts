import type { EndedSnapshot } from "../../domain/live/endedTasks.ts";
import type { LiveTask } from "../../domain/live/liveTasks.ts";
import type { Log } from "../log.ts";
import type { Nats } from "../nats/connectNats.ts";
import type { LedgerFeed } from "./storedEvent.ts";

export interface LiveSnapshot {
  readonly position: number;
  readonly tasks: readonly LiveTask[];
}

/** Folds of what is not settled, stored beside the ledger. Losing one costs time, never truth. */
export interface SnapshotStore {
  /** The newest snapshot of this shard and epoch, or null when there is none that this version can use. */
  load(feed: LedgerFeed): Promise<LiveSnapshot | null>;
  /** The position of the newest snapshot of ended tasks, which may be large; 0 as for {@link load}'s null. */
  endedPosition(feed: LedgerFeed): Promise<number>;
  /** That snapshot, or a newer one; null as for {@link load}. */
  loadEnded(feed: LedgerFeed): Promise<EndedSnapshot | null>;
  /**
   * Stores both, unless a newer one of this epoch is there: a process that is behind would bring back what was erased.
   * @returns false when it failed, which is logged
   */
  save(feed: LedgerFeed, snapshot: LiveSnapshot & { readonly ended: EndedSnapshot }): Promise<boolean>;
}

/** Raised when {@link LiveTask} or {@link EndedSnapshot} changes shape: an older snapshot is then folded anew instead of misread. */
const FORMAT = 4;

interface Place {
  readonly format: number;
  readonly epoch: string;
  readonly position: number;
}

export function createSnapshotStore(ports: { readonly nats: Nats; readonly log: Log }): SnapshotStore {
  const { nats, log } = ports;
  const bucket = nats.js.views.os("snapshots");
  const live = (feed: LedgerFeed) => `live.${feed.shard}`;
  const ended = (feed: LedgerFeed) => `ended.${feed.shard}`;
  const isOurs = (feed: LedgerFeed, found: Partial<Place>) =>
    found.format === FORMAT && found.epoch === feed.epoch;

  async function orNothing<T>(read: () => Promise<T>, nothing: T): Promise<T> {
    try {
      return await read();
    } catch (error) {
      log.warn({ error }, "a snapshot cannot be read; folding the ledger from its start");
      return nothing;
    }
  }
  async function load<T>(feed: LedgerFeed, name: string): Promise<(T & Place) | null> {
    return orNothing(async () => {
      const blob = await (await bucket).getBlob(name);
      if (blob === null) return null;
      const stored = JSON.parse(Buffer.from(blob).toString()) as T & Place;
      return isOurs(feed, stored) ? stored : null;
    }, null);
  }
  /** Where a snapshot is, without reading it. */
  async function placeOf(name: string): Promise<Partial<Place>> {
    const text = (await (await bucket).info(name))?.description;
    return text ? (JSON.parse(text) as Partial<Place>) : {};
  }
  async function put(feed: LedgerFeed, name: string, position: number, content: object): Promise<void> {
    const there = await orNothing(() => placeOf(name), {});
    if (isOurs(feed, there) && there.position! > position) return;
    const place: Place = { format: FORMAT, epoch: feed.epoch, position };
    const bytes = Buffer.from(JSON.stringify({ ...place, ...content }));
    await (await bucket).putBlob({ name, description: JSON.stringify(place) }, bytes);
  }

  return {
    load: (feed) => load<LiveSnapshot>(feed, live(feed)),
    endedPosition: (feed) =>
      orNothing(async () => {
        const place = await placeOf(ended(feed));
        return isOurs(feed, place) ? place.position! : 0;
      }, 0),
    loadEnded: (feed) => load<EndedSnapshot>(feed, ended(feed)),
    save: async (feed, snapshot) => {
      const { position, tasks } = snapshot;
      try {
        await put(feed, ended(feed), position, snapshot.ended);
        await put(feed, live(feed), position, { tasks });
        return true;
      } catch (error) {
        log.warn({ error }, "the snapshot of live tasks could not be stored; the next one will be");
        return false;
      }
    },
  };
}
