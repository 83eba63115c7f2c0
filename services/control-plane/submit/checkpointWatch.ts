import { checkpointNotice } from "../../../schemas/messages/node.ts";
import { subjects } from "../../../streams/subjects.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Retryable } from "../../kernel/errors.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { projectorSilenceMs, projectorStallMs } from "../limits.ts";

/** How far Postgres is, as the projector announces it. */
export interface CheckpointWatch {
  /** Why nothing more should be taken now, as a sentence; null when all is well. */
  trouble(): string | null;
  /** True when Postgres holds everything up to `seq`, false when it does not within `waitMs`. */
  reached(seq: number, waitMs: number): Promise<boolean>;
  stop(): void;
}

interface Waiter {
  readonly seq: number;
  readonly settle: (reached: boolean) => void;
}

/**
 * Listens to the announcements of one shard's projector: waiting for a sequence costs no polling. What is said
 * of another epoch is about another ledger, and ignored.
 */
export function watchCheckpoints(ports: {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly shard: number;
  readonly epoch: string;
  /** Events Postgres may be behind. */
  readonly lagMax: number;
}): CheckpointWatch {
  const { nats, clock, epoch, lagMax } = ports;
  const waiters = new Set<Waiter>();
  let seq = 0;
  let lag = 0;
  // A process that has just begun to listen has not been met with silence yet.
  let heardAt = clock.monotonicMs();
  let movedAt = heardAt;

  const subscription = nats.connection.subscribe(subjects.checkpoint({ shard: ports.shard }), {
    callback: (error, message) => {
      const notice = error ? null : checkpointNotice.safeParse(safeJson(message.data));
      if (!notice?.success || notice.data.epoch !== epoch) return;
      heardAt = clock.monotonicMs();
      if (notice.data.seq > seq || notice.data.lag === 0) movedAt = heardAt;
      seq = Math.max(seq, notice.data.seq);
      lag = notice.data.lag;
      for (const waiter of waiters) if (waiter.seq <= seq) waiter.settle(true);
    },
  });

  return {
    trouble: () => {
      const now = clock.monotonicMs();
      if (now - heardAt > projectorSilenceMs) return "no projector has announced itself lately";
      if (now - movedAt > projectorStallMs) return `the projector is ${lag} events behind and does not move`;
      return lag > lagMax ? `the projector is ${lag} events behind` : null;
    },
    reached: (wanted, waitMs) => {
      if (wanted <= seq) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          seq: wanted,
          settle: (reached) => {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(reached);
          },
        };
        const timer = setTimeout(() => waiter.settle(false), waitMs);
        waiters.add(waiter);
      });
    },
    stop: () => {
      subscription.unsubscribe();
      for (const waiter of waiters) waiter.settle(false);
    },
  };
}

/** @throws Retryable `PROJECTOR_DOWN` when what is submitted now could not be read or acknowledged in time */
export function requireProjector(checkpoints: CheckpointWatch): void {
  const trouble = checkpoints.trouble();
  if (trouble === null) return;
  throw new Retryable("PROJECTOR_DOWN", `Nothing was submitted: ${trouble}.`, {
    hint: "Wait, then send the request again.",
  });
}

const decoder = new TextDecoder();

function safeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return null;
  }
}
