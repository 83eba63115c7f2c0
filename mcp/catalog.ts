/** All that Cazi offers to agents, free of any protocol. */

import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import { instructions } from "./instructions.ts";
import { compareRuns } from "./prompts/compareRuns.ts";
import { diagnoseFailedTask } from "./prompts/diagnoseFailedTask.ts";
import type { PromptDefinition } from "./prompts/promptDefinition.ts";
import { writeSpec } from "./prompts/writeSpec.ts";
import { tools } from "./registry.ts";
import { fleetResources } from "./resources/fleetResources.ts";
import { recentTasks } from "./resources/recentTasks.ts";
import type { ListedPage, ResourceDefinition } from "./resources/resourceDefinition.ts";
import { taskResources } from "./resources/taskResources.ts";
import type { ToolDefinition } from "./toolDefinition.ts";

export interface Catalog {
  readonly name: string;
  readonly title: string;
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  /** Resources that come and go, a page at a time; beside the plain ones of `resources`. */
  listed(client: ApiClient, cursor: string | undefined): Promise<ListedPage>;
  readonly prompts: readonly PromptDefinition[];
}

export const caziCatalog: Catalog = {
  name: "cazi",
  title: "Cazi",
  instructions,
  tools,
  resources: [...fleetResources, ...taskResources],
  listed: recentTasks,
  prompts: [diagnoseFailedTask, writeSpec, compareRuns],
};
