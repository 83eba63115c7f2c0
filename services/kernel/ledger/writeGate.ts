import type { Clock } from "../clock.ts";
import { Retryable } from "../errors.ts";
import type { Nats } from "../nats/connectNats.ts";

/** An event that this process knows to be in the ledger. */
export interface Witness {
  readonly seq: number;
  readonly eventId: string;
}

/**
 * The regression guard of writers. A ledger that lost its tail (restored from an old copy, or from a disk that
 * lied) must not be written to: its histories would fork from what was acknowledged.
 *
 * - `closed`: connected anew and not checked yet; the first append checks.
 * - `open`: checked on this connection.
 * - `regressed`: the check failed; no append until it succeeds.
 *
 * INV-NO-SHORTER-HISTORY: nothing is appended on a connection before a check on it said that the ledger is the
 * known one and still has the newest event known of it.
 */
export interface WriteGate {
  /** Resolves when appends are allowed. @throws Retryable `LEDGER_REGRESSED`, `LEDGER_UNAVAILABLE` */
  open(): Promise<void>;
  /** Remembers the newest event this process appended or read, as its own witness after a reconnect. */
  wrote(witness: Witness): void;
  /** Sequence of the newest event this process knows of; 0 before the first. */
  readonly newest: number;
  /** The next append checks first: somebody said that the ledger may not be what it was. */
  close(): void;
  readonly state: "closed" | "open" | "regressed";
  stop(): void;
}

/** Answers whether the ledger has lost events. `unknown`: nobody who could tell answers now. */
export type RegressionCheck = (
  own: Witness | null,
) => Promise<"ok" | "unknown" | { readonly regressed: string }>;

export function createWriteGate(ports: {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly check: RegressionCheck;
  readonly onRegressed: (reason: string) => void;
}): WriteGate {
  let state: WriteGate["state"] = "closed";
  let newest: Witness | null = null;
  let checking: Promise<void> | null = null;
  const close = () => {
    state = "closed";
  };
  const forget = ports.nats.onDisconnect(close);

  async function check(): Promise<void> {
    const answer = await ports.check(newest);
    if (answer === "ok") {
      state = "open";
      return;
    }
    if (answer === "unknown") {
      throw new Retryable("LEDGER_UNAVAILABLE", "nobody can tell yet whether the ledger is complete", {
        hint: "The role that has Postgres (projector) must be running. The request may be repeated.",
      });
    }
    if (state !== "regressed") ports.onRegressed(answer.regressed);
    state = "regressed";
    throw new Retryable("LEDGER_REGRESSED", `the ledger has lost events: ${answer.regressed}`, {
      hint: "Nothing is written until it is repaired: run `cazi ledger repair`.",
    });
  }

  return {
    get state() {
      return state;
    },
    open: () => {
      if (state === "open") return DONE;
      checking ??= check().finally(() => {
        checking = null;
      });
      return checking;
    },
    get newest() {
      return newest?.seq ?? 0;
    },
    close,
    wrote: (witness) => {
      if (newest === null || witness.seq > newest.seq) newest = witness;
    },
    stop: () => forget(),
  };
}

const DONE = Promise.resolve();
