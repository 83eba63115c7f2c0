import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { queryInTenant } from "../kernel/postgres/transaction.ts";
import { databaseProbeMs, databaseProbeTimeoutMs } from "./limits.ts";

/** Whether Postgres answers, known without asking it in the middle of a request. */
export interface DatabaseWatch {
  up(): boolean;
  stop(): Promise<void>;
}

/** Asks it now, and then every second. */
export async function watchDatabase(pool: DatabasePool, tenant: string): Promise<DatabaseWatch> {
  let up = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function probe(): Promise<void> {
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), databaseProbeTimeoutMs);
    });
    const asked = queryInTenant(pool, { role: "app", tenant }, "SELECT 1", []).then(
      () => "up" as const,
      () => "down" as const,
    );
    const answer = await Promise.race([asked, late]);
    clearTimeout(timer);
    up = answer === "up";
    // One that is late still holds its connection: the next question waits for it.
    if (answer === "late") await asked;
    if (!stopped) timer = setTimeout(next, databaseProbeMs);
  }

  let probing: Promise<void> = Promise.resolve();
  function next(): void {
    probing = probe();
  }
  next();
  await probing;
  return {
    up: () => up,
    stop: async () => {
      stopped = true;
      await probing;
      clearTimeout(timer);
    },
  };
}

/** True when Postgres waits for its disk before it says that something is committed. */
export async function waitsForDisk(pool: DatabasePool, tenant: string): Promise<boolean> {
  const rows = await queryInTenant<{ fsync: string; commit: string }>(
    pool,
    { role: "app", tenant },
    "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
    [],
  );
  const [row] = rows;
  return row?.fsync === "on" && row.commit !== "off";
}
