/** The registry of one run: exactly the tools that were granted, each with what it may touch. */
import { Rejection } from "../../kernel/errors.ts";
import { createNetworkTools } from "../network/createNetworkTools.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import { processTool } from "../process/processTool.ts";
import { echo, fail, slow } from "./echoTools.ts";
import { type ArtifactWriter, listFiles, readFile, writeArtifact } from "./fileTools.ts";
import { toolManifest } from "./manifest.ts";
import { type ReadSnapshot, readSnapshot } from "./readSnapshot.ts";
import type { Tool } from "./tool.ts";
import type { ToolPorts } from "./toolPorts.ts";

export interface ToolSet {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly snapshot: ReadSnapshot;
  readonly artifacts: ArtifactWriter;
}

/** @throws Rejection `TOOL_UNKNOWN`, and those of the snapshot and of fixtures */
export function createTools(config: AgentConfig, ports: ToolPorts): ToolSet {
  const snapshot = readSnapshot({
    roots: config.fs_read,
    include: config.fs_read_include,
    exclude: config.fs_read_exclude,
  });
  const artifacts = writeArtifact(config.fs_write, config.budgets.max_tool_result_bytes);
  const all = [
    echo,
    fail,
    slow(config.budgets.tool_timeout_ms),
    readFile(snapshot),
    listFiles(snapshot),
    artifacts.tool,
    processTool(config, ports.taskRunner),
    ...createNetworkTools(config, ports),
  ];
  const known = new Map(all.map((tool) => [tool.name, tool]));
  const tools = new Map<string, Tool>();
  for (const name of config.tools) {
    const tool = known.get(name);
    if (tool !== undefined) tools.set(name, tool);
    else if (!toolManifest.some((one) => one.name === name)) {
      throw new Rejection("TOOL_UNKNOWN", `There is no tool ${name}.`, {
        hint: "`cazi agent tool list` names them.",
      });
    }
  }
  return { tools, snapshot, artifacts };
}
