import type { Subscription } from "nats";
import { checkpointNotice } from "../../../schemas/messages/node.ts";
import { subjects } from "../../../streams/subjects.ts";
import type { Ground } from "../openGround.ts";

/** How far those that follow the ledger are, as they say it. Works wherever they run, and after they died. */
export interface Positions {
  /** Called at each collection. The first begins to listen: a process that nobody scrapes hears no announcement. */
  look(): {
    /** Sequence up to which Postgres holds the ledger; null before a projector said so. */
    readonly projected: number | null;
    /** Time since a projector last said anything, or since this process began to listen. */
    readonly projectorSilentMs: number;
  };
  stop(): void;
}

export function watchPositions(ground: Pick<Ground, "nats" | "clock" | "shard" | "feed">): Positions {
  const { nats, clock, shard, feed } = ground;
  let projected: number | null = null;
  let heardAt = 0;
  let subscription: Subscription | null = null;
  const listen = () => {
    heardAt = clock.monotonicMs();
    return nats.connection.subscribe(subjects.checkpoint({ shard }), {
      callback: (error, message) => {
        const notice = error ? null : checkpointNotice.safeParse(jsonOf(message.string()));
        // What is said of another epoch is about another ledger.
        if (!notice?.success || notice.data.epoch !== feed.epoch) return;
        heardAt = clock.monotonicMs();
        // A copy that was restored from an older one is truly further behind.
        projected = notice.data.seq;
      },
    });
  };
  return {
    look: () => {
      subscription ??= listen();
      return { projected, projectorSilentMs: clock.monotonicMs() - heardAt };
    },
    stop: () => subscription?.unsubscribe(),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
