/** Values for an argument of a prompt or a variable of a resource, by what was typed of it so far. */
import type { ApiClient } from "../services/kernel/client/apiClient.ts";

/** Where values come from: tasks' ids, nodes' names, or a fixed list. */
export type Completer = "task" | "node" | readonly string[];

/** So many values at most are given at once, by the protocol. */
const valuesMax = 100;
/** So many of the newest tasks are looked through for a beginning: what a person completes is recent. */
const tasksSearched = 600;
const pageSize = 200;

export interface Completion {
  readonly values: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** @param prefix what was typed; values begin with it, the newest task first */
export async function completeArgument(
  client: () => ApiClient,
  completer: Completer | undefined,
  prefix: string,
): Promise<Completion> {
  if (completer === undefined) return completion([], prefix);
  if (completer === "task") return completion(await recentTasks(client()), prefix);
  if (completer === "node") return completion(await nodeNames(client()), prefix);
  return completion(completer, prefix);
}

function completion(all: readonly string[], prefix: string): Completion {
  const found = all.filter((value) => value.startsWith(prefix));
  return { values: found.slice(0, valuesMax), total: found.length, hasMore: found.length > valuesMax };
}

async function recentTasks(client: ApiClient): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.listTasks({ limit: pageSize, ...(cursor === null ? {} : { cursor }) });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null && ids.length < tasksSearched);
  return ids;
}

async function nodeNames(client: ApiClient): Promise<string[]> {
  const page = await client.listNodes({ limit: pageSize });
  return page.data.map(({ name }) => name);
}
