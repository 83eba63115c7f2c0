/** A NATS server of a test file's own, and clients of it as the product makes them. */
import { afterAll, beforeAll } from "vitest";
import { connectNats, type Nats } from "../../services/kernel/nats/connectNats.ts";
import { type TestNats, withNats } from "./withNats.ts";

export interface TestNatsClient {
  readonly server: TestNats;
  /** There from the first hook on, closed after the last test. */
  readonly nats: Nats;
  /** One more; whoever asks for it closes it. */
  connect(name: string): Promise<Nats>;
}

/** Call at the top of a test file or describe block, as {@link withNats}. */
export function withNatsClient(): TestNatsClient {
  const server = withNats();
  const connect = (name: string) =>
    connectNats({ url: server.url, credsFile: server.credsFile, name, firstWaitMs: 5_000 });
  let nats: Nats | null = null;
  beforeAll(async () => {
    nats = await connect("test");
  });
  afterAll(() => nats?.close());
  return {
    server,
    get nats() {
      if (nats === null) throw new Error("withNatsClient: it connects before the first hook, not earlier");
      return nats;
    },
    connect,
  };
}
