import type { Task } from "../../../schemas/api/task.ts";
import type { LogChunk } from "./logSource.ts";

/**
 * True unless the chunk says to be of the task's last attempt and comes from another node than the one that has
 * it. A node may store under its own name only, so no node can add to the output of another one's task.
 */
export function ofItsNode(chunk: LogChunk, task: Task): boolean {
  return chunk.attempt !== task.attempt || task.node === null || chunk.node === task.node;
}
