import type { ApiClient } from "../../services/kernel/client/apiClient.ts";
import { listedTasks } from "../limits.ts";
import type { ListedPage } from "./resourceDefinition.ts";
import { taskUri } from "./resourceLinks.ts";

/** A page of tasks as resources, newest first. @throws Rejection `CURSOR_INVALID` */
export async function recentTasks(client: ApiClient, cursor: string | undefined): Promise<ListedPage> {
  const page = await client.listTasks({ limit: listedTasks, ...(cursor === undefined ? {} : { cursor }) });
  return {
    resources: page.data.map((task) => ({
      uri: taskUri.task(task.id),
      name: task.id,
      title: task.name ?? `Task ${task.id}`,
      description: `${task.status}${task.reason === null ? "" : ` (${task.reason})`}, submitted ${task.submitted_at}`,
      mimeType: "application/json",
    })),
    nextCursor: page.next_cursor,
  };
}
