import type { NatsConnection } from "nats";

/** What the client keeps inside and does not show: a change there turns this off, it never breaks anything. */
interface ClientInside {
  readonly protocol?: {
    readonly pendingLimit?: number;
    readonly outbound?: { size(): number };
    flushPending?: () => void;
  };
}

/**
 * Sends all that is published in one turn of the event loop with one write. The client alone writes at the end
 * of every microtask that published: an answer that wakes a hundred tasks then costs a hundred system calls here
 * and as many reads in the server. Nothing waits for longer than the turn it is in; beyond the client's own limit
 * of gathered bytes it is sent at once.
 */
export function gatherWrites(connection: NatsConnection): void {
  const { protocol } = connection as unknown as ClientInside;
  const { outbound, pendingLimit, flushPending } = protocol ?? {};
  if (!protocol || !outbound || !flushPending || typeof pendingLimit !== "number") return;
  const send = flushPending.bind(protocol);
  let awaited = false;
  protocol.flushPending = () => {
    if (outbound.size() >= pendingLimit) return send();
    if (awaited) return;
    awaited = true;
    setImmediate(() => {
      awaited = false;
      send();
    });
  };
}
