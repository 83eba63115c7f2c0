/** `agent tool list` and `agent tool describe`: the manifest, without running anything. */
import { Rejection } from "../../../kernel/errors.ts";
import { toolManifest } from "../../tools/manifest.ts";
import type { RunCommand } from "../agentIo.ts";

export const toolList: RunCommand = async (io, flags) => {
  if (flags.switches.has("json"))
    io.out(`${JSON.stringify({ type: "agent_tool_list", tools: toolManifest })}\n`);
  else {
    for (const { name, available, worker, pinned, reason } of toolManifest) {
      const more = Object.entries({ worker, pinned, reason }).filter(([, value]) => value !== undefined);
      io.out(
        `${[name, `available=${available}`, ...more.map(([key, value]) => `${key}=${value}`)].join(" ")}\n`,
      );
    }
  }
  return 0;
};

export const toolDescribe: RunCommand = async (io, flags) => {
  const [name] = flags.positionals;
  const found = toolManifest.find((one) => one.name === name);
  if (found === undefined) {
    throw new Rejection("TOOL_UNKNOWN", `There is no tool ${name}.`, {
      hint: "`cazi agent tool list` names them.",
    });
  }
  io.out(`${JSON.stringify({ type: "agent_tool", ...found }, null, flags.switches.has("json") ? 0 : 2)}\n`);
  return 0;
};
