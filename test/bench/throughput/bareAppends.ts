import type { NatsConnection } from "nats";
import { startNats } from "../../../deploy/embedded/startNats.ts";
import { ensure } from "../../../streams/ensure.ts";
import { quietLog, tempHome } from "../../support/tempHome.ts";
import { onInterrupt } from "../system/onInterrupt.ts";
import type { LedgerEvent } from "./readEvents.ts";

/** Histories on their way at once; more does not make the server faster. */
const inFlight = 256;
const timing = { leaseMs: 10_000, nodeOfflineMs: 30_000, replicas: 1 };

/** A server of the control's own, started and configured as the product does it. */
export async function startBareServer() {
  const home = tempHome();
  const server = await startNats({ home: home.path, log: quietLog });
  const stop = async () => {
    forget();
    await server.stop();
    home.remove();
  };
  const forget = onInterrupt(stop);
  return {
    url: server.url,
    credsFile: server.credsFile,
    pid: server.pid,
    stop,
  };
}

/** Makes the product's own streams on the control's server. */
export async function prepareBareAppends(connection: NatsConnection): Promise<void> {
  await ensure(connection.jetstream(), await connection.jetstreamManager(), timing);
}

/**
 * The control: appends the very bytes of `events` by compare-and-set, each task's in order, many tasks at once,
 * and does nothing else. @returns milliseconds
 */
export async function appendBare(
  connection: NatsConnection,
  events: readonly LedgerEvent[],
): Promise<number> {
  const js = connection.jetstream();
  const histories = bySubject(events).values();
  const began = performance.now();
  const worker = async () => {
    for (const history of histories) {
      let expected = 0;
      for (const { subject, bytes } of history) {
        expected = (await js.publish(subject, bytes, { expect: { lastSubjectSequence: expected } })).seq;
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return performance.now() - began;
}

function bySubject(events: readonly LedgerEvent[]): Map<string, LedgerEvent[]> {
  const histories = new Map<string, LedgerEvent[]>();
  for (const event of events) {
    const history = histories.get(event.subject);
    if (history) history.push(event);
    else histories.set(event.subject, [event]);
  }
  return histories;
}
