import { ErrorCode, type NatsConnection, NatsError } from "nats";

/** A request as the client keeps it inside; one that awaits many answers has no `deferred`. */
interface RequestInside {
  deferred?: unknown;
  cancel?: (error?: Error) => void;
}

/** What the client does not show: a change there turns this off, it never breaks anything. */
interface ClientInside {
  readonly protocol?: { request?: (request: RequestInside) => unknown };
}

/**
 * Spares an error, with its stack, for every request that was answered. The client puts a request away by cancelling it,
 * and makes the error for that each time, though nobody sees it: the answer was given before. A dozen requests a task made
 * it 3 % of a busy process. Whoever is really cancelled gets an error of the same code, and no stack of its own.
 */
export function spareErrors(connection: NatsConnection): void {
  const { protocol } = connection as unknown as ClientInside;
  const request = protocol?.request?.bind(protocol);
  if (!protocol || !request) return;
  const cancelled = NatsError.errorForCode(ErrorCode.Cancelled);
  protocol.request = (one) => {
    const { cancel } = one;
    if (one.deferred && cancel) one.cancel = (error) => cancel.call(one, error ?? cancelled);
    return request(one);
  };
}
