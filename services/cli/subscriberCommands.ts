/** The commands about programs outside that read the feed from NATS. */
import type { Command } from "commander";
import { type AddCommand, formatOption, type RunStart } from "./commandKit.ts";

const load = () => import("./commands/subscribers.ts");

export function addSubscriberCommands(add: AddCommand, run: RunStart): void {
  const group = add("subscriber", {
    about: "programs outside that read a tenant's events from NATS (deploy/examples/subscribers)",
    examples: [
      "cazi subscriber add reports --tenant acme",
      "cazi subscriber list --tenant acme",
      "cazi subscriber remove reports --tenant acme",
    ],
  });
  ofTenant(
    group
      .command("add")
      .description("make a subscriber: its account, its credentials, its place in the feed"),
  )
    .argument("<name>", "its name, within the tenant")
    .option("--creds <file>", "where its credentials are written; default: subscribers/ of CAZI_HOME")
    .option("--renew", "new credentials for one that is there; the old ones end, its place stays")
    .action((name, options) => run(async (context) => (await load()).subscriberAdd(context, name, options)));
  ofTenant(group.command("list").description("print subscribers, and how far each is behind"))
    .addOption(formatOption("table"))
    .action((options) => run(async (context) => (await load()).subscriberList(context, options)));
  ofTenant(group.command("remove").description("void its credentials, and forget its place in the feed"))
    .argument("<name>", "its name, within the tenant")
    .action((name, options) =>
      run(async (context) => (await load()).subscriberRemove(context, name, options)),
    );
}

function ofTenant(command: Command): Command {
  return command.option("--tenant <name>", "whose events; the token's own tenant unless given");
}
