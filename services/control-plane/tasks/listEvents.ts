import type { Page } from "../../../schemas/api/page.ts";
import type { ApiTaskEvent, ListTaskEventsQuery } from "../../../schemas/api/taskEvent.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { ApiPorts } from "../ports.ts";

/**
 * A page of a task's history. One that Postgres has no event of yet may be in the ledger already: then the page
 * is empty, and the task is not denied.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`, `CURSOR_INVALID`
 */
export async function listEvents(
  ports: Pick<ApiPorts, "reads" | "ledger">,
  key: TaskKey,
  query: ListTaskEventsQuery,
): Promise<Page<ApiTaskEvent>> {
  const page = await ports.reads.listTaskEvents(key, query);
  const isErased = page.data.some(({ type }) => type === "erased");
  if (!isErased && (page.data.length > 0 || query.cursor !== undefined)) return page;
  const state = isErased ? ({ status: "erased" } as const) : (await ports.ledger.load(key)).state;
  if (state.status === "erased") throw new Rejection("TASK_ERASED", "The task has been erased.");
  if (state.status === "absent") throw new Rejection("TASK_NOT_FOUND", "There is no such task.");
  return page;
}
