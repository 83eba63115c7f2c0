import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import type { LocatedTask } from "../ports.ts";
import { type TaskRow, taskColumns, taskOf } from "./taskRow.ts";

export const findTaskSql = `SELECT ${taskColumns} FROM tasks WHERE tenant = $1 AND id = $2`;

/** The task as Postgres knows it, or null. @throws Retryable `DATABASE_UNAVAILABLE` */
export async function findTask(pool: DatabasePool, { tenant, task }: TaskKey): Promise<LocatedTask | null> {
  const [row] = await queryInTenant<TaskRow>(pool, { role: "app", tenant }, findTaskSql, [tenant, task]);
  return row === undefined ? null : { task: taskOf(row), seq: row.seq };
}
