import type { ApiTaskStatus } from "../../../schemas/api/taskStatus.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";

export const countTasksByStatusSql =
  "SELECT status, count(*)::int AS tasks FROM tasks WHERE tenant = $1 GROUP BY status";

/** How many tasks of the tenant have each status; a status that none has is left out. */
export async function countTasksByStatus(
  pool: DatabasePool,
  tenant: string,
): Promise<Readonly<Partial<Record<ApiTaskStatus, number>>>> {
  const rows = await queryInTenant<{ status: ApiTaskStatus; tasks: number }>(
    pool,
    { role: "app", tenant },
    countTasksByStatusSql,
    [tenant],
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.tasks]));
}
