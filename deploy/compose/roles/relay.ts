import { Retryable } from "../../../services/kernel/errors.ts";
import { tellPlace } from "../../../services/kernel/ledger/readers.ts";
import { createSubscriberStore } from "../../../services/kernel/subscribers/subscriberStore.ts";
import { cursorsOnNats, eventsOnNats, ledgerOnNats } from "../../../services/relay/natsPorts.ts";
import { type Relay, type RelayPosition, startRelay } from "../../../services/relay/startRelay.ts";
import { HOME_SUBSCRIBER, subscriberConsumer } from "../../../streams/consumers.ts";
import { ensureConsumer } from "../../../streams/ensure.ts";
import type { Ground, RunningRole } from "./role.ts";

/** A relay that stopped over something a person must settle is tried again this often, in case they have. */
const RESTART_MS = 1_000;
/** Beside a projector that only begins nobody can tell yet whether the ledger is complete: no trouble for so long. */
const PATIENCE_MS = 10_000;
const SOON_MS = 100;

export interface RelayRole extends RunningRole {
  /** How far the feed is; null while another process relays. */
  position(): RelayPosition | null;
}

/** Relays while it holds the lease. */
export function relayRole(ground: Ground): RelayRole {
  const { nats, feed, gate, clock, log, shard, config } = ground;
  const lease = ground.lease("relay");
  const ports = {
    events: eventsOnNats(nats, shard, clock.now),
    ledger: ledgerOnNats(nats, shard),
    cursors: cursorsOnNats(nats, shard),
  };
  const subscribers = createSubscriberStore({ nats, kv: nats.js.views.kv("subscribers"), clock });
  let relay: Relay | null = null;
  let failed: string | null = null;
  let ended = false;
  let askedSince: number | null = null;
  let wake: () => void = () => undefined;
  lease.onChange(() => wake());

  async function relayWhileHeld(): Promise<void> {
    try {
      await ensureConsumer(nats.jsm, subscriberConsumer({ durable: HOME_SUBSCRIBER, tenant: config.tenant }));
      await subscribers.ensureAll();
      relay = await startRelay({ feed, ...ports, gate, clock, log, lease });
      failed = null;
      askedSince = null;
      await relay.stopped;
      failed = relay.trouble();
    } catch (error) {
      relay = null;
      askedSince ??= clock.monotonicMs();
      const isPassing = error instanceof Retryable && error.code === "LEDGER_UNAVAILABLE";
      if (isPassing && clock.monotonicMs() - askedSince < PATIENCE_MS) return;
      const { message } = error as Error;
      // Told once, not every second.
      if (failed !== message) log.error({ error }, "the relay cannot start; trying again");
      failed = message;
    }
  }
  const running = (async () => {
    while (!ended) {
      if (lease.held()) await relayWhileHeld();
      const pause = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const timer = setTimeout(wake, failed === null && lease.held() ? SOON_MS : RESTART_MS);
      if (!ended) await pause;
      clearTimeout(timer);
    }
  })();
  const position = () => (lease.held() ? (relay?.position() ?? null) : null);
  const stopTelling = tellPlace(
    { cursors: nats.js.views.kv("cursors"), shard, clock, log, position },
    "relay",
  );
  return {
    name: "relay",
    trouble: () => (lease.held() ? (failed ?? relay?.trouble() ?? null) : null),
    position,
    stop: async () => {
      ended = true;
      await stopTelling();
      wake();
      await relay?.stop();
      await running;
      await lease.stop();
    },
  };
}
