import type { TaskEvent } from "../../../schemas/taskEvents.ts";

/** A place in a ledger stream's life. Positions of different epochs cannot be compared. */
export interface LedgerPosition {
  /** Creation time of the stream, as the server writes it. */
  readonly epoch: string;
  /** Sequence of the last event seen; 0 before the first. */
  readonly seq: number;
}

/** An event with its place and its very bytes. */
export interface StoredEvent {
  readonly seq: number;
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly event: TaskEvent;
}

/** Follows the ledger in order, once, from a position. */
export interface LedgerFollower {
  /** For the log and for errors: the role. */
  readonly name: string;
  /** Sequence of the last event handled; what comes after is delivered. */
  readonly after: number;
  /**
   * Handles events in order; the next call comes when the promise settles. At most `batchMax` events.
   * A rejection stops the follower and is given to {@link onStopped}.
   */
  onEvents(events: readonly StoredEvent[]): Promise<void>;
  /** Called once when it will get no more: an unknown transition, or its own rejection. */
  onStopped(error: unknown): void;
  /** Largest batch, in events. */
  readonly batchMax: number;
}

/** The running side of a {@link LedgerFollower}. */
export interface Following {
  /** Sequence of the last event that was handled. */
  readonly position: number;
  stop(): Promise<void>;
}

/** Reads a shard's ledger once for all roles of a process. */
export interface LedgerFeed {
  readonly epoch: string;
  readonly shard: number;
  follow(follower: LedgerFollower): Following;
  /** Sequence of the newest event in the stream, asked now. */
  lastSeq(): Promise<number>;
}
