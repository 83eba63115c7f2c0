/** The facts of one task that a prompt embeds, each in its bounds. */
import type { Task } from "../../schemas/api/task.ts";
import type { ApiClient } from "../../services/kernel/client/apiClient.ts";
import type { Call } from "../call.ts";
import { evidenceCharsMax } from "../limits.ts";
import { readFittingLogPage } from "../logPage.ts";
import { readEventPage } from "../pages.ts";
import { taskUri } from "../resources/resourceLinks.ts";
import { withoutSpec } from "../taskResult.ts";
import { embeds, type PromptMessage } from "./promptDefinition.ts";

/** Why something failed stands at the end of what was printed. */
const lastLines = 100;
const eventsMax = 40;

export interface TaskEvidence {
  readonly task: Task;
  /** State, spec, history and the last lines of the log, as embedded resources. */
  readonly messages: readonly PromptMessage[];
}

export async function taskEvidence(client: ApiClient, id: string, call: Call): Promise<TaskEvidence> {
  const task = await client.getTask(id, { signal: call.signal });
  const [events, log] = await Promise.all([
    readEventPage(client, id, { limit: eventsMax, charsMax: evidenceCharsMax }),
    readFittingLogPage(client, id, { tail: lastLines }, evidenceCharsMax),
  ]);
  const spec =
    JSON.stringify(task.spec).length > evidenceCharsMax
      ? { left_out: "The spec is too long to embed; read this resource." }
      : task.spec;
  return {
    task,
    messages: [
      embeds(taskUri.task(id), withoutSpec(task)),
      embeds(taskUri.spec(id), spec),
      embeds(taskUri.events(id), events),
      embeds(taskUri.logs(id), { last_lines: log.data, truncated: log.truncated }),
    ],
  };
}
