/** Every tool that there is, also those that this build cannot give, with what each touches and needs. */

export interface ToolDescription {
  readonly name: string;
  readonly class: string;
  /** `true`, `with_--flag`, or `false` with a reason. */
  readonly available: string;
  readonly reason?: string;
  readonly mode: "sync" | "promise";
  readonly args: string;
  readonly result: string;
}

const SUPERVISOR = "process_tool_supervisor_required_not_available";

export const toolManifest: readonly ToolDescription[] = [
  {
    name: "echo",
    class: "none",
    available: "true",
    mode: "sync",
    args: "any object",
    result: "the same object",
  },
  {
    name: "fail",
    class: "test-host-failure",
    available: "true",
    mode: "sync",
    args: "any object",
    result: "an error",
  },
  {
    name: "slow",
    class: "test-async",
    available: "true",
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
  ...(
    [
      ["osv.query", "named-network", "named_network_required_not_available"],
      ["npm.metadata", "named-network", "named_network_required_not_available"],
      ["github.issue.read", "named-network", "named_network_required_not_available"],
      ["github.pr.read", "named-network", "named_network_required_not_available"],
      ["github.pr.files.list", "named-network", "named_network_required_not_available"],
      ["github.release.latest.read", "named-network", "named_network_required_not_available"],
      ["github.file.read", "named-network", "named_network_required_not_available"],
      ["github.compare.read", "named-network", "named_network_required_not_available"],
      ["github.commit.read", "named-network", "named_network_required_not_available"],
      ["github.repo.read", "named-network", "named_network_required_not_available"],
      ["github.workflow.run.read", "named-network", "named_network_required_not_available"],
      ["github.workflow.jobs.list", "named-network", "named_network_required_not_available"],
      ["github.check.runs.list", "named-network", "named_network_required_not_available"],
      ["model.call", "model", "model_provider_required_not_available"],
    ] as const
  ).map(
    ([name, kind, reason]): ToolDescription => ({
      name,
      class: kind,
      available: "false",
      reason,
      mode: "promise",
      args: "-",
      result: "-",
    }),
  ),
  ...["process", "shell", "exec", "spawn"].map(
    (name): ToolDescription => ({
      name,
      class: "process",
      available: "false",
      reason: SUPERVISOR,
      mode: "promise",
      args: "-",
      result: "-",
    }),
  ),
];
