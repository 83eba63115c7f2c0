import type { NatsConnection } from "nats";
import type { Config } from "../../kernel/config.ts";
import { connectNats } from "../../kernel/nats/connectNats.ts";
import { asNatsError } from "../../kernel/nats/natsError.ts";
import { natsTls } from "../../kernel/nats/tls.ts";
import type { NodeKeys } from "../nodeKeys.ts";

const FIRST_CONNECTION_MS = 5_000;

/** A connection to NATS' system account, for the length of `use`. */
export async function withSystem<T>(
  config: Config,
  { url, systemCredsFile }: NodeKeys,
  use: (system: NatsConnection) => Promise<T>,
): Promise<T> {
  const tls = natsTls(config);
  const options = {
    url,
    credsFile: systemCredsFile,
    tls,
    name: "cazi node",
    firstWaitMs: FIRST_CONNECTION_MS,
  };
  try {
    const nats = await connectNats(options);
    try {
      return await use(nats.connection);
    } finally {
      await nats.close();
    }
  } catch (error) {
    throw asNatsError(error);
  }
}
