/** What there is of one task, each under the task's address. JSON is the same as the tool of the same name gives. */
import { inOwnWords, logPageWords } from "../apiWords.ts";
import { capOutput } from "../capOutput.ts";
import { resultCharsMax, resultFrameChars } from "../limits.ts";
import { readFittingLogPage } from "../logPage.ts";
import { readEventPage } from "../pages.ts";
import { fittingTask } from "../taskResult.ts";
import { artifactFile, artifactList } from "./artifacts.ts";
import { rawOutputResource } from "./rawOutput.ts";
import { jsonBody, type ResourceDefinition } from "./resourceDefinition.ts";
import { taskUri } from "./resourceLinks.ts";

const json = "application/json";
const completes = { id: "task" } as const;
const eventsMax = 100;
const streams = ["stdout", "stderr"];

const task: ResourceDefinition = {
  uriTemplate: "cazi://tasks/{id}",
  name: "task",
  title: "Task",
  description: "A task as it is now, with the spec it was submitted with.",
  mimeType: json,
  completes,
  read: async (client, { id }, { signal }) => jsonBody(fittingTask(await client.getTask(id!, { signal }))),
};

const spec: ResourceDefinition = {
  uriTemplate: "cazi://tasks/{id}/spec",
  name: "task_spec",
  title: "Spec of a task",
  description: "The declared intent, whole, with every default filled in: submit it again after a change.",
  mimeType: json,
  completes,
  read: async (client, { id }, { signal }) => jsonBody((await client.getTask(id!, { signal })).spec),
};

const events: ResourceDefinition = {
  uriTemplate: "cazi://tasks/{id}/events{?cursor}",
  name: "task_events",
  title: "History of a task",
  description: "Each transition of a task, oldest first, in pages; next_cursor is to be sent as cursor.",
  mimeType: json,
  completes,
  read: async (client, { id, cursor }) =>
    jsonBody(await readEventPage(client, id!, { cursor, limit: eventsMax })),
};

const logs: ResourceDefinition = {
  uriTemplate: "cazi://tasks/{id}/logs{?cursor,stream}",
  name: "task_logs",
  title: "Log of a task",
  description:
    "Lines that a task printed, stdout and stderr, in pages; next_uri is the next page, next_cursor is to be sent as cursor. stream gives one of the two.",
  mimeType: json,
  completes: { ...completes, stream: streams },
  read: async (client, { id, cursor, stream }) => {
    // The API refuses a stream that there is not, with the names that there are.
    const part = { after: cursor, ...(stream === undefined ? {} : { stream: stream as "stdout" }) };
    const page = await inOwnWords(logPageWords, () => readFittingLogPage(client, id!, part));
    return jsonBody({ ...page, next_uri: nextUri(id!, page.next_cursor, stream) });
  },
};

function nextUri(id: string, cursor: string | null, stream: string | undefined): string | null {
  if (cursor === null) return null;
  return `${taskUri.logs(id)}?${new URLSearchParams({ cursor, ...(stream === undefined ? {} : { stream }) })}`;
}

const output: ResourceDefinition = {
  uriTemplate: "cazi://tasks/{id}/output",
  name: "task_output",
  title: "Output of a task",
  description: "A task's standard output as its output_format says; truncated says that it is not all.",
  mimeType: json,
  completes,
  read: async (client, { id }) =>
    jsonBody(capOutput(await client.getTaskOutput(id!), resultCharsMax - resultFrameChars)),
};

const comparison: ResourceDefinition = {
  uriTemplate: "cazi://tasks/{id}/comparison{?with}",
  name: "task_comparison",
  title: "Comparison of a task",
  description:
    "Whether it ended and printed as another task did: as the one that it replays, unless with names one. Both have to be over.",
  mimeType: json,
  completes: { ...completes, with: "task" },
  read: async (client, { id, with: other }) => jsonBody(await client.compareTasks(id!, other)),
};

export const taskResources: readonly ResourceDefinition[] = [
  task,
  spec,
  events,
  logs,
  output,
  comparison,
  artifactList,
  artifactFile,
  { ...rawOutputResource, completes: { ...completes, stream: streams } },
];
