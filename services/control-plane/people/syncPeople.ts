import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import type { PeopleDirectory } from "./directory.ts";
import type { PeopleBucket } from "./peopleBucket.ts";
import { ensureHome, readEveryone, writeRevocation } from "./peopleStore.ts";
import { keyOf, type PersonRecord } from "./records.ts";

/**
 * Makes the bucket say what Postgres does. Whoever changes somebody writes Postgres, then the bucket; what a death
 * between the two left, and what a NATS that began anew has lost, is brought here. A token that was revoked in the bucket
 * while Postgres was away is revoked there.
 *
 * Any number of replicas may do it at once: versions decide.
 * @param doubtful true to compare with the bucket itself, and not with what was heard of it
 * @throws Retryable `DATABASE_UNAVAILABLE`, `TOKENS_UNREACHABLE`
 */
export async function syncPeople(
  ports: {
    readonly pool: DatabasePool;
    readonly bucket: PeopleBucket;
    readonly directory: PeopleDirectory;
    readonly home: string;
    readonly clock: Clock;
    readonly log: Log;
  },
  doubtful: boolean,
): Promise<void> {
  const { pool, bucket, directory, home, clock, log } = ports;
  await ensureHome(pool, home, clock.now());
  // Before Postgres is read: what the bucket has was committed there first, so the answer knows all of these.
  const before = new Map(directory.all());
  const stored = new Map((await readEveryone(pool)).map((one) => [keyOf(one), one]));
  for (const [key, one] of stored) {
    const known = before.get(key);
    // Heard at once: with NATS away a revocation reaches this replica by Postgres.
    directory.hear(one);
    await keepRevocation(pool, one, known);
    if (doubtful || known === undefined || known.version < one.version || endsEarlier(one, known)) {
      await bucket.put(one);
    }
  }
  for (const key of before.keys()) {
    if (stored.has(key)) continue;
    log.warn({ key }, "the bucket `tokens` knows somebody whom Postgres does not: forgotten");
    await bucket.remove(key);
  }
}

async function keepRevocation(
  pool: DatabasePool,
  stored: PersonRecord,
  known: PersonRecord | undefined,
): Promise<void> {
  if (stored.record !== "token" || known?.record !== "token") return;
  if (stored.revoked_at !== null || known.revoked_at === null) return;
  const { tenant, id, revoked_at: at, revoked_by: by } = known;
  await writeRevocation(pool, { tenant, id, at, by });
}

function endsEarlier(stored: PersonRecord, known: PersonRecord): boolean {
  if (stored.record !== "token" || known.record !== "token") return false;
  return stored.revoked_at !== null && known.revoked_at === null;
}
