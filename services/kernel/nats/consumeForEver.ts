import type { JsMsg } from "nats";
import type { ConsumerSpec } from "../../../streams/consumers.ts";
import { ensureConsumer } from "../../../streams/ensure.ts";
import type { Log } from "../log.ts";
import type { Nats } from "./connectNats.ts";

const PULLED_MAX = 500;
/** The client notices a connection or consumer that is gone after two missed beats of half of this. */
const PULL_EXPIRES_MS = 5_000;
const REOPEN_PAUSE_MS = 200;

/**
 * Gives each message of a durable consumer to `handle`, many at once, for ever. `handle` acknowledges; it must
 * not reject.
 * @returns how to stop: resolves when what was being handled is done
 */
export function consumeForEver(
  ports: { readonly nats: Nats; readonly log: Log },
  spec: ConsumerSpec,
  handle: (message: JsMsg) => Promise<void>,
): () => Promise<void> {
  const { nats, log } = ports;
  const handling = new Set<Promise<void>>();
  let stopped = false;
  let close: () => void = () => undefined;
  const forget = nats.onReconnect(() => close());

  async function once(): Promise<void> {
    await ensureConsumer(nats.jsm, spec);
    const consumer = await nats.js.consumers.get(spec.stream, spec.durable);
    const messages = await consumer.consume({ max_messages: PULLED_MAX, expires: PULL_EXPIRES_MS });
    close = () => void messages.close();
    if (stopped) close();
    for await (const message of messages) {
      const one = handle(message).finally(() => handling.delete(one));
      handling.add(one);
    }
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await once();
      } catch (error) {
        if (!stopped)
          log.debug({ error, stream: spec.stream, durable: spec.durable }, "consuming was interrupted");
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, REOPEN_PAUSE_MS));
    }
  })();
  return async () => {
    stopped = true;
    forget();
    close();
    await running;
    await Promise.all(handling);
  };
}
