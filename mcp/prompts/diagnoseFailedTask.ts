import { isDone } from "../taskResult.ts";
import { dataNotice, type PromptDefinition, says } from "./promptDefinition.ts";
import { taskEvidence } from "./taskEvidence.ts";

export const diagnoseFailedTask: PromptDefinition = {
  name: "diagnose_failed_task",
  title: "Find out why a task failed",
  description:
    "Gives a task's state, spec, history and last lines, and asks for the cause and a spec that would do.",
  arguments: [
    { name: "id", title: "Task", description: "The task's id.", required: true, completes: "task" },
  ],
  messages: async (client, { id }, call) => {
    const { task, messages } = await taskEvidence(client, id!, call);
    return [...messages, says(`${standing(task)} ${dataNotice}\n\n${steps(id!)}`)];
  },
};

/** In one sentence, so that nobody looks for the failure of a task that has none. */
function standing(
  task: Parameters<typeof isDone>[0] & { id: string; reason: string | null; exit_code: number | null },
) {
  if (!isDone(task)) return `Task ${task.id} is not over: it is ${task.status}.`;
  if (task.status === "succeeded") return `Task ${task.id} did not fail: it succeeded.`;
  const code = task.exit_code === null ? "" : `, exit code ${task.exit_code}`;
  return `Task ${task.id} ended as ${task.status}: reason ${task.reason ?? "unknown"}${code}.`;
}

function steps(id: string): string {
  return `Find out why, from the embedded record first:
1. Say in one sentence what happened, and quote the lines or the event that show it.
2. Say whether it lies in the command, the image, the limits (time, memory), the node, or the input. reason exit means that the command itself failed; oom, timeout, image_pull, node_lost and the like did not come from its logic.
3. If the record is not enough, read more: get_task_logs with id ${id} (cursor or tail, stream stderr), list_task_events, list_nodes.
4. Give a corrected spec, whole, with a rationale that says what was changed and why. Do not submit it before you are told to.`;
}
