/** Every tool, in the order in which clients show them. */
import type { ToolDefinition } from "./toolDefinition.ts";
import { cancelTask } from "./tools/cancelTask.ts";
import { checkHealth } from "./tools/checkHealth.ts";
import { compareTasks } from "./tools/compareTasks.ts";
import { getTask } from "./tools/getTask.ts";
import { getTaskLogs } from "./tools/getTaskLogs.ts";
import { getTaskOutput } from "./tools/getTaskOutput.ts";
import { listNodes } from "./tools/listNodes.ts";
import { listTaskEvents } from "./tools/listTaskEvents.ts";
import { listTasks } from "./tools/listTasks.ts";
import { replayTask } from "./tools/replayTask.ts";
import { runScript } from "./tools/runScript.ts";
import { submitTask } from "./tools/submitTask.ts";
import { waitForTask } from "./tools/waitForTask.ts";

export const tools: readonly ToolDefinition[] = [
  submitTask,
  runScript,
  waitForTask,
  getTask,
  getTaskOutput,
  getTaskLogs,
  listTaskEvents,
  listTasks,
  cancelTask,
  replayTask,
  compareTasks,
  listNodes,
  checkHealth,
];
