/** What is not of one task: the machines, and what a spec may say. */
import type { ApiClient } from "../../services/kernel/client/apiClient.ts";
import { Rejection } from "../../services/kernel/errors.ts";
import { readNodePage } from "../pages.ts";
import { workloadSpecDocument } from "../specArgument.ts";
import { jsonBody, type ResourceDefinition } from "./resourceDefinition.ts";

const json = "application/json";
const nodesListed = 100;
const nodesSearched = 200;

const specSchema: ResourceDefinition = {
  uriTemplate: "cazi://schemas/workload-spec",
  name: "workload_spec_schema",
  title: "What a spec may say",
  description: "JSON Schema of a WorkloadSpec: every field, its meaning and its default.",
  mimeType: "application/schema+json",
  read: async () => ({ ...jsonBody(workloadSpecDocument), mimeType: "application/schema+json" }),
};

const nodes: ResourceDefinition = {
  uriTemplate: "cazi://nodes",
  name: "nodes",
  title: "Nodes",
  description: "The machines that run tasks: labels and tags to select by, free slots, mounts and networks.",
  mimeType: json,
  read: async (client) => jsonBody(await readNodePage(client, { limit: nodesListed })),
};

const node: ResourceDefinition = {
  uriTemplate: "cazi://nodes/{name}",
  name: "node",
  title: "Node",
  description: "One machine that runs tasks, by its name.",
  mimeType: json,
  completes: { name: "node" },
  read: async (client, { name }) => jsonBody(await findNode(client, name!)),
};

async function findNode(client: ApiClient, name: string): Promise<object> {
  const { data } = await client.listNodes({ limit: nodesSearched });
  const found = data.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new Rejection("NODE_NOT_FOUND", "There is no node of this name.", {
    hint: "Read cazi://nodes, or call list_nodes, for the names there are.",
    fields: { status: 404 },
  });
}

export const fleetResources: readonly ResourceDefinition[] = [specSchema, nodes, node];
