import { Rejection } from "../kernel/errors.ts";
import { sqlState } from "../kernel/postgres/databaseError.ts";
import type { Queryable } from "../kernel/postgres/transaction.ts";
import { rebuildLeaseSeconds } from "./limits.ts";

/** Where a rebuild makes the new read models, and says whose it is. */
export const SHADOW = "cazi_rebuild";

/** Any number that no other lock of this database has. */
const LOCK = 2_026_113_001;

/**
 * Begins a rebuild: an empty shadow schema that is the run's. What a rebuild that was killed left is removed.
 *
 * Only one rebuild may work at a time. A lock of the session would not do: the embedded server has one session for
 * all. So the shadow holds the run's id and when it last worked, and each step holds a lock to the end of its
 * transaction, in which it looks at the id. Killed, a run leaves no lock, and its shadow is free after a while.
 * @throws Rejection `REBUILD_RUNNING` while another one works
 */
export async function beginRun(client: Queryable, run: string): Promise<void> {
  const { rows: locked } = await client.query<{ free: boolean }>(
    "SELECT pg_try_advisory_xact_lock($1) AS free",
    [LOCK],
  );
  // Who holds it is in the middle of a step.
  if (!locked[0]!.free || (await works(client)))
    throw running("another rebuild of the read models is running");
  await client.query(`DROP SCHEMA IF EXISTS ${SHADOW} CASCADE`);
  await client.query(`CREATE SCHEMA ${SHADOW}`);
  await client.query(`CREATE TABLE ${SHADOW}.run (id text NOT NULL, worked_at timestamptz NOT NULL)`);
  await client.query(`INSERT INTO ${SHADOW}.run VALUES ($1, clock_timestamp())`, [run]);
}

async function works(client: Queryable): Promise<boolean> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('${SHADOW}.run') IS NOT NULL AS there`,
  );
  if (!found[0]!.there) return false;
  const { rows } = await client.query(
    `SELECT FROM ${SHADOW}.run WHERE worked_at > clock_timestamp() - make_interval(secs => $1)`,
    [rebuildLeaseSeconds],
  );
  return rows.length > 0;
}

/**
 * The first of every step: from here to the end of the transaction the shadow is the run's alone.
 * @throws Rejection `REBUILD_RUNNING` when another run has taken over
 */
export async function holdRun(client: Queryable, run: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  const { rows } = await client
    .query(`UPDATE ${SHADOW}.run SET worked_at = clock_timestamp() WHERE id = $1 RETURNING 1`, [run])
    .catch((error: unknown) => {
      // The other one has finished, and its shadow is gone.
      if (sqlState(error) === UNDEFINED_TABLE) return { rows: [] };
      throw error;
    });
  if (rows.length === 0)
    throw running("another rebuild of the read models has taken over; this one has ended");
}

const UNDEFINED_TABLE = "42P01";

/** Gives the shadow back, after a failure. */
export async function endRun(client: Queryable, run: string): Promise<void> {
  await holdRun(client, run);
  await client.query(`DROP SCHEMA ${SHADOW} CASCADE`);
}

function running(message: string): Rejection {
  return new Rejection("REBUILD_RUNNING", message, {
    hint: `Wait for it, and run \`cazi projections rebuild\` again. After a kill that is possible within ${rebuildLeaseSeconds} s.`,
  });
}
