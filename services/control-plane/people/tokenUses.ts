import type { Clock } from "../../kernel/clock.ts";
import type { Principal } from "../ports.ts";

interface TokenUse {
  readonly tenant: string;
  readonly id: string;
  readonly at: number;
}

/** Tokens whose last use waits to be written; more are left out until the next time. */
const WAITING_MAX = 10_000;

/** When each token was used last, gathered in memory and written together: however many requests, one write a while. */
export function tokenUses(clock: Clock): {
  used(principal: Principal): void;
  /** Writes what has gathered; what could not be written waits for the next time. */
  flush(write: (uses: readonly TokenUse[]) => Promise<void>): Promise<void>;
} {
  let waiting = new Map<string, TokenUse>();
  return {
    used: ({ tenant, token }) => {
      if (token == null) return;
      const key = `${tenant}/${token.id}`;
      if (waiting.size >= WAITING_MAX && !waiting.has(key)) return;
      waiting.set(key, { tenant, id: token.id, at: clock.now() });
    },
    flush: async (write) => {
      if (waiting.size === 0) return;
      const uses = waiting;
      waiting = new Map();
      try {
        await write([...uses.values()]);
      } catch (error) {
        waiting = new Map([...uses, ...waiting]);
        throw error;
      }
    },
  };
}
