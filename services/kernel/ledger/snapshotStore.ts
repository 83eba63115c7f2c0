import type { EndedSnapshot } from "../../domain/live/endedTasks.ts";
import type { LiveTask } from "../../domain/live/liveTasks.ts";
import type { Log } from "../log.ts";
import type { Nats } from "../nats/connectNats.ts";
import type { LedgerFeed } from "./storedEvent.ts";

export interface LiveSnapshot {
  readonly position: number;
  readonly tasks: readonly LiveTask[];
  readonly ended: EndedSnapshot;
}

/** Folds of what is not settled, stored beside the ledger. Losing one costs time, never truth. */
export interface SnapshotStore {
  /** The newest snapshot of this shard and epoch, or null when there is none that this version can use. */
  load(feed: LedgerFeed): Promise<LiveSnapshot | null>;
  /**
   * Stores it, unless a newer one of this epoch is there: a process that is behind would bring back what was erased.
   * @returns false when it failed, which is logged
   */
  save(feed: LedgerFeed, snapshot: LiveSnapshot): Promise<boolean>;
}

/** Raised when {@link LiveTask} or {@link EndedSnapshot} changes shape: an older snapshot is then folded anew instead of misread. */
const FORMAT = 3;

interface Stored extends LiveSnapshot {
  readonly format: number;
  readonly epoch: string;
}

export function createSnapshotStore(ports: { readonly nats: Nats; readonly log: Log }): SnapshotStore {
  const { nats, log } = ports;
  const bucket = nats.js.views.os("snapshots");
  const nameOf = (feed: LedgerFeed) => `live.${feed.shard}`;
  return {
    load: async (feed) => {
      try {
        const blob = await (await bucket).getBlob(nameOf(feed));
        if (blob === null) return null;
        const stored = JSON.parse(Buffer.from(blob).toString()) as Stored;
        return stored.format === FORMAT && stored.epoch === feed.epoch ? stored : null;
      } catch (error) {
        log.warn({ error }, "the snapshot of live tasks cannot be read; folding the ledger from its start");
        return null;
      }
    },
    save: async (feed, snapshot) => {
      const stored: Stored = { format: FORMAT, epoch: feed.epoch, ...snapshot };
      const name = nameOf(feed);
      try {
        const there = (await (await bucket).info(name))?.description ?? "";
        if (isNewer(there, stored)) return true;
        const bytes = Buffer.from(JSON.stringify(stored));
        await (await bucket).putBlob({ name, description: placeOf(stored) }, bytes);
        return true;
      } catch (error) {
        log.warn({ error }, "the snapshot of live tasks could not be stored; the next one will be");
        return false;
      }
    },
  };
}

/** The place of a snapshot, to be read without the snapshot. */
function placeOf({ epoch, format, position }: Stored): string {
  return JSON.stringify([epoch, format, position]);
}

function isNewer(there: string, stored: Stored): boolean {
  try {
    const [epoch, format, position] = JSON.parse(there) as [unknown, unknown, unknown];
    return epoch === stored.epoch && format === stored.format && Number(position) > stored.position;
  } catch {
    return false;
  }
}
