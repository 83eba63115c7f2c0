/** Every tool that there is, also those that this build cannot give, with what each touches and needs. */
import { namedEndpoints } from "../network/createNetworkTools.ts";

export interface ToolDescription {
  readonly name: string;
  readonly class: string;
  /** `true`, `with_--flag`, or `false` with a reason. */
  readonly available: string;
  readonly reason?: string;
  /** The one address that it reaches. */
  readonly pinned?: string;
  /** It touches nothing, so that it is the same wherever the engine is hosted. */
  readonly worker?: true;
  readonly mode: "sync" | "promise";
  readonly args: string;
  readonly result: string;
}

export const SUPERVISOR_REASON = "process_tool_supervisor_required_not_available";

export const toolManifest: readonly ToolDescription[] = [
  {
    name: "echo",
    class: "none",
    available: "true",
    worker: true,
    mode: "sync",
    args: "any object",
    result: "the same object",
  },
  {
    name: "fail",
    class: "test-host-failure",
    available: "true",
    worker: true,
    mode: "sync",
    args: "any object",
    result: "an error",
  },
  {
    name: "slow",
    class: "test-async",
    available: "true",
    worker: true,
    mode: "promise",
    args: "{delay_ms?, value?}",
    result: "{ok, tool, delay_ms, value}",
  },
  {
    name: "readFile",
    class: "fs-read",
    available: "with_--fs-read",
    mode: "sync",
    args: "{path}",
    result: "{path, content, bytes}",
  },
  {
    name: "listFiles",
    class: "fs-read",
    available: "with_--fs-read",
    mode: "sync",
    args: "{path?}",
    result: "{files}",
  },
  {
    name: "writeArtifact",
    class: "fs-write",
    available: "with_--fs-write",
    mode: "sync",
    args: "{path, content}",
    result: "{path, bytes, hash}",
  },
  ...namedEndpoints.map(
    ({ tool, pinned, args, result }): ToolDescription => ({
      name: tool,
      class: tool === "model.call" ? "model" : "named-network",
      available: tool === "model.call" ? "with_--model-provider" : "true",
      ...(tool === "model.call" ? {} : { pinned }),
      mode: "promise",
      args,
      result,
    }),
  ),
  {
    name: "process",
    class: "process",
    available: "with_--process-command",
    mode: "promise",
    args: "{command, args?, cwd?, env?, output?: full|summary|stream}",
    result: "{code, signal, stdout, stderr}",
  },
  ...["shell", "exec", "spawn"].map(
    (name): ToolDescription => ({
      name,
      class: "process",
      available: "false",
      reason: SUPERVISOR_REASON,
      mode: "promise",
      args: "-",
      result: "-",
    }),
  ),
];
