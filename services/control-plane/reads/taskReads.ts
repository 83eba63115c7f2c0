import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import type { TaskReads } from "../ports.ts";
import { findTask } from "./findTask.ts";
import { listAttempts } from "./listAttempts.ts";
import { listTaskEvents } from "./listTaskEvents.ts";
import { listTasks } from "./listTasks.ts";
import { previewSelection, selectionPage } from "./selectTasks.ts";

/** The API's reads from Postgres: one statement each, one round trip each. */
export function createTaskReads(pool: DatabasePool): TaskReads {
  return {
    findTask: (key) => findTask(pool, key),
    listTasks: (tenant, query) => listTasks(pool, tenant, query),
    listAttempts: (key, query) => listAttempts(pool, key, query),
    previewSelection: (tenant, of) => previewSelection(pool, tenant, of),
    selectionPage: (tenant, of) => selectionPage(pool, tenant, of),
    listTaskEvents: (key, query) => listTaskEvents(pool, key, query),
  };
}
