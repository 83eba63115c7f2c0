import { createLog } from "../../kernel/log.ts";
import { openPool } from "../../kernel/postgres/openPool.ts";
import type { CliContext } from "../context.ts";
import { databaseOf } from "../dependencies.ts";
import { exitCodes } from "../exitCode.ts";

/** Builds the read models anew from the ledger's copy. Cazi may go on running meanwhile. */
export async function rebuildProjections(context: CliContext): Promise<number> {
  const { config } = context.settings();
  const { rebuildProjections: rebuild } = await import("../../projector/rebuildProjections.ts");
  const log = createLog(config.logLevel, "rebuild");
  const pool = openPool({ ...databaseOf(config), log });
  try {
    const { events } = await rebuild(pool);
    await context.output.message(`the read models were built anew from ${events} events`);
    return exitCodes.ok;
  } finally {
    await pool.end();
  }
}
