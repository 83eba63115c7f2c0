/** The commands about the machines that run attempts. */
import type { Command } from "commander";
import {
  type AddCommand,
  commaList,
  commaPairs,
  formatOption,
  type RunStart,
  wholeNumber,
} from "./commandKit.ts";

const listMax = 1_000_000;
const slotsMax = 10_000;
/** An agent makes the folders of a container within seconds before the container itself. */
const reapGraceMin = 10;

export function addNodeCommands(add: AddCommand, run: RunStart): void {
  add("nodes", {
    about: "print the machines that run attempts",
    examples: ["cazi nodes", "cazi nodes -o json"],
  })
    .option("--limit <count>", "how many", wholeNumber(1, listMax), 1000)
    .option("--cursor <cursor>", "go on behind an earlier page")
    .addOption(formatOption("table"))
    .action((options) =>
      run(async (context) => (await import("./commands/nodes.ts")).nodes(context, options)),
    );
  const group = add("node", {
    about: "add machines that run attempts, and take them out again (docs/nodes.md)",
    examples: [
      "cazi node add b --labels zone=b --slots-max 4",
      "cazi node set b --tags gpu --tenants '*'",
      "cazi node drain b --wait && cazi node remove b",
    ],
  });
  withBounds(group.command("add").description("make a standalone node: its account and its credentials"))
    .argument("<name>", "its name")
    .option("--creds <file>", "where its credentials are written; default: nodes/<name>.creds of CAZI_HOME")
    .option("--renew", "new credentials for a node that is there; the old ones end")
    .action((name, options) =>
      run(async (context) => (await import("./commands/nodeAdd.ts")).nodeAdd(context, name, options)),
    );
  withBounds(group.command("set").description("change what a node may register; what is not given stays"))
    .argument("<name>", "its name")
    .action((name, options) =>
      run(async (context) => (await import("./commands/nodeState.ts")).nodeSet(context, name, options)),
    );
  addStates(group, run);
  addReap(add, run);
}

function addReap(add: AddCommand, run: RunStart): void {
  add("reap", {
    about: "on a node's machine: remove containers and folders of this instance that nothing needs any more",
    examples: ["cazi reap --dry-run", "cazi reap --dry-run -o json", "cazi reap --all-nodes"],
  })
    .option("--dry-run", "only say what would go and what stays, and why")
    .option(
      "--grace <seconds>",
      "what is younger stays: it may be in the making",
      wholeNumber(reapGraceMin, 31_536_000),
      300,
    )
    .option("--all-nodes", "of every node of this instance on this machine, also of names that are gone")
    .option("--running", "also what still runs of tasks that the ledger has never heard of")
    .addOption(formatOption("table"))
    .action((options) => run(async (context) => (await import("./commands/reap.ts")).reap(context, options)));
}

function addStates(group: Command, run: RunStart): void {
  for (const [command, state, about] of [
    ["cordon", "cordoned", "give it no new attempts; what runs goes on"],
    ["uncordon", "active", "give it attempts again"],
  ] as const) {
    group
      .command(command)
      .description(about)
      .argument("<name>", "its name")
      .action((name) =>
        run(async (context) => (await import("./commands/nodeState.ts")).nodeCordon(context, name, state)),
      );
  }
  group
    .command("drain")
    .description("cordon it, and let what runs end")
    .argument("<name>", "its name")
    .option("--wait", "end when nothing is on it any more")
    .option("--timeout <seconds>", "with --wait: at most so long", wholeNumber(1, 86_400))
    .action((name, options) =>
      run(async (context) => (await import("./commands/nodeState.ts")).nodeDrain(context, name, options)),
    );
  group
    .command("remove")
    .description("take it out, and void its credentials")
    .argument("<name>", "its name")
    .option("--force", "also while attempts are on it: they are cut off and count as lost")
    .action((name, options) =>
      run(async (context) => (await import("./commands/nodeState.ts")).nodeRemove(context, name, options)),
    );
}

function withBounds(command: Command): Command {
  return command
    .option("--labels <name=value,...>", "labels that it may have", commaPairs)
    .option("--tags <tag,...>", "tags that it may have", commaList)
    .option("--tenants <tenant,...>", "whose tasks may run there; '*' for everybody's", commaList)
    .option("--slots-max <count>", "attempts at once, at most", wholeNumber(1, slotsMax))
    .option("--networks <network,...>", "networks that tasks there may ask for", commaList)
    .option("--mounts <path,...>", "host paths below which it may offer mounts", commaList);
}
