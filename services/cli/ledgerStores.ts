import { DEFAULT_SHARD } from "../../streams/streams.ts";
import { createLog } from "../kernel/log.ts";
import { connectNats } from "../kernel/nats/connectNats.ts";
import { asNatsError } from "../kernel/nats/natsError.ts";
import { natsTls } from "../kernel/nats/tls.ts";
import { openPool } from "../kernel/postgres/openPool.ts";
import type { RepairPorts } from "../repair/verifyLedger.ts";
import type { CliContext } from "./context.ts";
import { databaseOf, natsOf } from "./dependencies.ts";

const FIRST_CONNECTION_MS = 10_000;

/**
 * Opens the ledger and its copy past the API, for the length of a command.
 * @throws Rejection `NOT_RUNNING`; Retryable `NATS_UNAVAILABLE` and as `asNatsError`, `DATABASE_UNAVAILABLE`
 */
export async function withLedgerStores<T>(
  context: CliContext,
  use: (ports: RepairPorts) => Promise<T>,
): Promise<T> {
  const { config } = context.settings();
  const database = databaseOf(config);
  const { url, credsFile } = natsOf(config);
  const nats = await connectNats({
    url,
    credsFile: credsFile || null,
    tls: natsTls(config),
    name: "cazi ledger",
    firstWaitMs: FIRST_CONNECTION_MS,
  });
  const pool = openPool({ ...database, size: 1, log: createLog(config.logLevel, "ledger") });
  try {
    return await use({ nats, pool, shard: DEFAULT_SHARD, clock: context.clock });
  } catch (error) {
    throw asNatsError(error, nats.connection.info);
  } finally {
    await Promise.all([pool.end(), nats.close()]);
  }
}
