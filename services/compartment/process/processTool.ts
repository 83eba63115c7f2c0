/**
 * `process`: a command that the operator named, with arguments of bounded number and size, no shell, an environment of
 * named variables only, in one folder. Without such commands it is a task of the control plane, where there is one.
 */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";
import type { AgentConfig, NamedPath } from "../policy/agentConfig.ts";
import { checkMembers, type Tool } from "../tools/tool.ts";
import { runCommand } from "./runCommand.ts";
import type { TaskRunner } from "./taskRunner.ts";

export const ARGUMENTS_MAX = 64;
export const ARGUMENT_BYTES_MAX = 32 * 1024;

const MEMBERS = { command: "string", args: "array?", cwd: "string?", env: "object?", output: "string?" };
const OUTPUTS = ["full", "summary", "stream"];

/** True when the configuration names commands and their folder: then they run here. */
export function isLocal(config: AgentConfig): boolean {
  return Object.keys(config.process_commands).length > 0 && config.process_cwd !== null;
}

export function processTool(config: AgentConfig, taskRunner: TaskRunner | null): Tool {
  const local = isLocal(config);
  return {
    name: "process",
    mode: "promise",
    repeatable: false,
    check: (args) => checkMembers(args, MEMBERS) ?? shapeFault(args),
    admit: (args) => (local ? admitLocal(config, args) : null),
    async run({ args, signal, record }) {
      const argv = (args.args ?? []) as readonly string[];
      if (!local) return taskRunner!.run({ command: args.command as string, args: argv, signal, record });
      return runCommand(
        {
          path: config.process_commands[args.command as string]!.path,
          argv,
          cwd: folderOf(config.process_cwd!, args.cwd)!,
          env: { ...config.process_env, ...(args.env as Record<string, string> | undefined) },
          output: (args.output ?? "full") as "full" | "summary" | "stream",
          outputBytesMax: config.budgets.max_tool_result_bytes,
          chunkBytes: config.budgets.process_output_stream_chunk_bytes,
        },
        { signal, record },
      );
    },
  };
}

function shapeFault({ args, env, output }: JsonObject): string | null {
  const argv = (args ?? []) as readonly JsonValue[];
  if (!argv.every(isArgument)) return "args must be a list of texts without NUL.";
  const bytes = argv.reduce<number>((sum, one) => sum + Buffer.byteLength(one as string), 0);
  if (argv.length > ARGUMENTS_MAX || bytes > ARGUMENT_BYTES_MAX) {
    return `args are more than ${ARGUMENTS_MAX}, or larger than ${ARGUMENT_BYTES_MAX} bytes together.`;
  }
  if (!Object.values((env ?? {}) as JsonObject).every(isArgument)) return "env must have texts without NUL.";
  return output === undefined || OUTPUTS.includes(output as string)
    ? null
    : "output must be full, summary or stream.";
}

function isArgument(value: JsonValue): boolean {
  return typeof value === "string" && !value.includes("\0");
}

function admitLocal(config: AgentConfig, { command, cwd, env }: JsonObject): string | null {
  if (!Object.hasOwn(config.process_commands, command as string)) return "process_command_not_admitted";
  if (folderOf(config.process_cwd!, cwd) === null) return "process_cwd_not_admitted";
  const keys = Object.keys((env ?? {}) as JsonObject);
  return keys.every((key) => Object.hasOwn(config.process_env, key)) ? null : "process_env_key_not_admitted";
}

/** A folder inside the granted one, after links; null for anything else. */
function folderOf(root: NamedPath, cwd: JsonValue | undefined): string | null {
  try {
    const base = realpathSync(root.path);
    const folder = realpathSync(join(base, (cwd as string | undefined) ?? "."));
    return folder === base || folder.startsWith(`${base === "/" ? "" : base}/`) ? folder : null;
  } catch {
    return null;
  }
}
