/** The lists that tools, resources and prompts give: each fits a result, and says what was left out. */
import { z } from "zod";
import { taskPage as apiTaskPage } from "../schemas/api/listTasks.ts";
import { nodePage as apiNodePage, type Node } from "../schemas/api/node.ts";
import type { Page } from "../schemas/api/page.ts";
import type { TaskSummary } from "../schemas/api/task.ts";
import { type ApiTaskEvent, taskEventPage as apiEventPage } from "../schemas/api/taskEvent.ts";
import type { ApiClient, ListOptions } from "../services/kernel/client/apiClient.ts";
import { capEvent, capLabels, capPage } from "./capItems.ts";
import { fittingPage } from "./fittingPage.ts";

const truncated = z.boolean().describe("True when a part of an item was left out because it is too long.");

export const taskPage = apiTaskPage.extend({ truncated });
export const nodePage = apiNodePage.extend({ truncated });
export const eventPage = apiEventPage.extend({ truncated });

type CappedPage<T> = Page<T> & { readonly data: T[]; readonly truncated: boolean };

interface Asked {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Characters of the page's JSON; those of a result unless given. */
  readonly charsMax?: number;
}

export function readTaskPage(
  client: ApiClient,
  { limit, charsMax, ...query }: Asked & ListOptions,
): Promise<CappedPage<TaskSummary>> {
  const ask = async (fitting: number) =>
    capPage(await client.listTasks({ ...query, limit: fitting }), capLabels);
  return fittingPage(limit, ask, charsMax);
}

export function readNodePage(
  client: ApiClient,
  { limit, cursor, charsMax }: Asked,
): Promise<CappedPage<Node>> {
  const ask = async (fitting: number) =>
    capPage(await client.listNodes({ cursor, limit: fitting }), capLabels);
  return fittingPage(limit, ask, charsMax);
}

export function readEventPage(
  client: ApiClient,
  id: string,
  { limit, cursor, charsMax }: Asked,
): Promise<CappedPage<ApiTaskEvent>> {
  const ask = async (fitting: number) =>
    capPage(await client.listTaskEvents(id, { cursor, limit: fitting }), capEvent);
  return fittingPage(limit, ask, charsMax);
}
