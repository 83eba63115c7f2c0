import type { ReadModelTable } from "./tableHashes.ts";

/**
 * Every read-model table, and its column that holds a task's id: with `tenant` beside it, what erasure deletes rows by.
 * Each needs an index that begins with the two.
 */
export const taskColumns: Readonly<Record<ReadModelTable, string>> = {
  tasks: "id",
  attempts: "task",
};
