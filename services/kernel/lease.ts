import type { KV } from "nats";
import type { Clock } from "./clock.ts";
import { invariant } from "./errors.ts";

/**
 * The right of one process to act in a role on a shard.
 *
 * - `waiting`: somebody else holds it, or nobody answered yet; we try again every third of its life.
 * - `held`: ours, until our monotonic clock says that the last renewal we know of is older than its life less a
 *   margin. A holder asks {@link Lease.held} before and after each append: an append that began in time and
 *   ended late is fenced by its compare-and-set.
 * - `stopped`: given up for good.
 *
 * The bucket's own expiry frees a dead holder's key; a write by revision lets only one waiter in.
 */
export interface Lease {
  held(): boolean;
  /** Calls back at each change to and from held. */
  onChange(callback: (held: boolean) => void): void;
  stop(): Promise<void>;
}

export interface LeaseOptions {
  readonly kv: KV;
  readonly key: string;
  /**
   * Who holds it. `home` is set only by a process that holds the lock of its home: whatever holds the lease in
   * the name of that home is dead, so it is taken over at once. Empty for a role that is served alone.
   */
  readonly holder: { readonly process: string; readonly home: string };
  readonly lifeMs: number;
  readonly clock: Clock;
}

/** Renewing at a third of the life leaves room for one lost answer. */
const RENEWALS_PER_LIFE = 3;
/** Part of the life kept back: the server's clock starts when it stores, ours when we asked. */
const MARGIN = 0.8;

/** Starts to strive for the lease. */
export function strive(options: LeaseOptions): Lease {
  const { kv, key, holder, lifeMs, clock } = options;
  const value = JSON.stringify(holder);
  const callbacks: ((held: boolean) => void)[] = [];
  let revision = 0;
  let heldUntil = 0;
  let told = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();

  const held = () => !stopped && clock.monotonicMs() < heldUntil;
  const tell = () => {
    const now = held();
    if (now === told) return;
    told = now;
    for (const callback of callbacks) callback(now);
  };

  async function renewOrTake(): Promise<void> {
    const askedAt = clock.monotonicMs();
    revision = revision > 0 ? await kv.put(key, value, { previousSeq: revision }) : await take();
    if (revision > 0) heldUntil = askedAt + lifeMs * MARGIN;
  }

  async function take(): Promise<number> {
    const entry = await kv.get(key);
    if (entry === null || entry.operation !== "PUT")
      return kv.put(key, value, { previousSeq: entry?.revision ?? 0 });
    const theirs = entry.json<{ process: string; home: string }>();
    const ours = theirs.process === holder.process || (theirs.home === holder.home && holder.home !== "");
    return ours ? kv.put(key, value, { previousSeq: entry.revision }) : 0;
  }

  async function step(): Promise<void> {
    try {
      await renewOrTake();
    } catch {
      // Lost to somebody else, or no answer: either way only a new turn can tell, and `heldUntil` bounds what we still do.
      revision = 0;
    }
    tell();
    if (!stopped) timer = setTimeout(next, lifeMs / RENEWALS_PER_LIFE);
  }

  function next(): void {
    turn = step();
  }

  invariant(lifeMs >= 500, "a lease of less than half a second cannot be renewed in time");
  next();
  return {
    held,
    onChange: (callback) => {
      callbacks.push(callback);
      if (told) callback(true);
    },
    stop: async () => {
      clearTimeout(timer);
      await turn;
      clearTimeout(timer);
      const release = held() && revision > 0;
      stopped = true;
      tell();
      // Freeing it lets the next holder in at once instead of after its life.
      if (release) await kv.delete(key, { previousSeq: revision }).catch(() => undefined);
    },
  };
}
