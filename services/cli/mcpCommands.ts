/** What agents use, for people and scripts: `cazi mcp` and what is under it. */
import { Argument } from "commander";
import { type AddCommand, formatOption, type RunStart } from "./commandKit.ts";

/** What there is a list of. */
export const mcpKinds = ["tools", "resources", "prompts"] as const;
export type McpKind = (typeof mcpKinds)[number];

export function addMcpCommands(add: AddCommand, run: RunStart): void {
  const group = add("mcp", {
    about: "the MCP server for agents, on standard input and output; or one of its tools, called from here",
    examples: [
      "cazi mcp",
      "claude mcp add cazi -- npx cazi mcp",
      "cazi mcp list tools",
      "cazi mcp call submit_task spec=@task.yaml",
      "cazi mcp call list_tasks status=failed limit=5 -o yaml",
      'cazi mcp read "cazi://tasks/$id/logs"',
    ],
  }).action(() => run(async (context) => (await import("./commands/mcp.ts")).mcp(context)));
  group
    .command("list")
    .description("print the tools, resources or prompts that agents have")
    .addArgument(new Argument("[kind]", "of what").choices(mcpKinds).default("tools"))
    .option("--cursor <cursor>", "resources: go on behind an earlier page")
    .addOption(formatOption("table"))
    .action((kind, options) =>
      run(async (context) => (await import("./commands/mcpList.ts")).mcpList(context, kind, options)),
    );
  group
    .command("call")
    .description(
      "call a tool and print its result; an argument's value may be @file, or @- for standard input",
    )
    .argument("<tool>", "its name")
    .argument("[arguments...]", "name=value; given again where it is a list")
    .option("--json <object>", "the arguments as one JSON object instead")
    .addOption(formatOption("json", ["json", "jsonl", "yaml"]))
    .action((tool, pairs, options) =>
      run(async (context) =>
        (await import("./commands/mcpCall.ts")).mcpCall(context, { tool, pairs }, options),
      ),
    );
  group
    .command("read")
    .description("print a resource: its text, or its bytes")
    .argument("<uri>", "such as cazi://tasks/<id>/output")
    .action((uri) => run(async (context) => (await import("./commands/mcpRead.ts")).mcpRead(context, uri)));
}
