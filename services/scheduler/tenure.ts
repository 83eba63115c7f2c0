import type { Lease } from "../kernel/lease.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import type { LedgerFeed } from "../kernel/ledger/storedEvent.ts";
import type { Log } from "../kernel/log.ts";

export interface Tenure {
  /** True while we hold the lease and our fold has all that was in the ledger when we took it. */
  mayAct(): boolean;
  stop(): void;
}

/** How often what is missing for acting is looked at. */
const LOOK_MS = 500;

/**
 * When a holder of the lease may begin. Holding it is not enough: what the holder before gave away may not be in
 * our fold yet, and its room would be given away again.
 */
export function watchTenure(ports: {
  readonly lease: Lease;
  readonly live: LiveFold;
  readonly feed: Pick<LedgerFeed, "lastSeq">;
  readonly log: Log;
  readonly onBegun: () => void;
}): Tenure {
  const { lease, live, feed, log, onBegun } = ports;
  /** Where the ledger ended when we took over; null before that is known. */
  let from: number | null = null;
  let asking = false;
  let begun = false;

  const mayAct = () => from !== null && lease.held() && live.caughtUp() && live.tasks.position >= from;
  const look = () => {
    if (!lease.held()) {
      from = null;
      begun = false;
    } else if (from === null) void ask();
    else if (!begun && mayAct()) {
      begun = true;
      onBegun();
    }
  };

  async function ask(): Promise<void> {
    if (asking) return;
    asking = true;
    try {
      const end = await feed.lastSeq();
      if (lease.held()) from = end;
    } catch (error) {
      log.warn({ error }, "the ledger's end is not known yet; nothing is placed before it is");
    } finally {
      asking = false;
    }
    if (from !== null) look();
  }

  live.onApplied(look);
  lease.onChange(look);
  const timer = setInterval(look, LOOK_MS);
  look();
  return { mayAct, stop: () => clearInterval(timer) };
}
