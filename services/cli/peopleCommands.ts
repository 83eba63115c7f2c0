/** The commands about tenants, users and tokens. */
import { type Command, Option } from "commander";
import { type AddCommand, formatOption, type RunStart, wholeNumber } from "./commandKit.ts";

const listMax = 1_000_000;
const load = () => import("./commands/people.ts");

export function addPeopleCommands(add: AddCommand, run: RunStart): void {
  add("whoami", { about: "print whom the token speaks for, and what it may do", examples: ["cazi whoami"] })
    .addOption(formatOption("table"))
    .action((options) => run(async (context) => (await load()).whoami(context, options)));
  addTenants(add, run);
  addUsers(add, run);
  addTokens(add, run);
}

function addTenants(add: AddCommand, run: RunStart): void {
  const group = add("tenant", {
    about: "tenants, for admins of the installation (docs/tenants.md)",
    examples: ["cazi tenant add acme", "cazi tenant set acme --pending-max 500", "cazi tenant list"],
  });
  withLimits(group.command("add").description("add a tenant").argument("<name>", "its name")).action(
    (name, options) => run(async (context) => (await load()).tenantAdd(context, name, options)),
  );
  withLimits(
    group
      .command("set")
      .description("change a tenant's limits; what is not given stays")
      .option("--restore", "take back that it was removed")
      .argument("<name>", "its name"),
  ).action((name, options) => run(async (context) => (await load()).tenantSet(context, name, options)));
  listed(group, "print tenants and their limits in force").action((options) =>
    run(async (context) => (await load()).tenantList(context, options)),
  );
  group
    .command("remove")
    .description("end all tokens and sign-ins of a tenant; its tasks go on and its record stays")
    .argument("<name>", "its name")
    .action((name) => run(async (context) => (await load()).tenantRemove(context, name)));
}

function withLimits(command: Command): Command {
  const limit = (flag: string, about: string) =>
    new Option(`--${flag} <count>`, `${about}; 0: no limit, default: the installation's`).argParser(limitOf);
  return command
    .option("--display-name <text>", "for people")
    .addOption(limit("pending-max", "tasks that may wait for a node at once"))
    .addOption(limit("submits-per-minute", "tasks that may be submitted in a minute"))
    .addOption(limit("follows-max", "streams of logs and events open at once"))
    .addOption(limit("stored-bytes-max", "bytes of output that are kept"));
}

function limitOf(text: string): number | "default" {
  return text === "default" ? text : wholeNumber(0, Number.MAX_SAFE_INTEGER)(text);
}

function addUsers(add: AddCommand, run: RunStart): void {
  const group = add("user", {
    about: "the people of a tenant, for its admins",
    examples: ["cazi user add ada --role operator", "cazi user set ada --role viewer", "cazi user list"],
  });
  withUser(group.command("add").description("add a user").argument("<name>", "the user's name")).action(
    (name, options) => run(async (context) => (await load()).userAdd(context, name, options)),
  );
  withUser(
    group
      .command("set")
      .description("change a user; what is not given stays")
      .option("--restore", "take back that the user was removed")
      .argument("<name>", "the user's name"),
  ).action((name, options) => run(async (context) => (await load()).userSet(context, name, options)));
  inTenant(listed(group, "print users")).action((options) =>
    run(async (context) => (await load()).userList(context, options)),
  );
  inTenant(group.command("remove"))
    .description("end all tokens and sign-ins of a user; the record stays")
    .argument("<name>", "the user's name")
    .action((name, options) => run(async (context) => (await load()).userRemove(context, name, options)));
}

function withUser(command: Command): Command {
  return inTenant(command)
    .addOption(roleOption("what the user may do; viewer unless given"))
    .option("--display-name <text>", "for people")
    .option("--login <text>", "what the claim of the sign-in says of this person");
}

function addTokens(add: AddCommand, run: RunStart): void {
  const group = add("token", {
    about: "tokens of the API, for admins of the tenant",
    examples: [
      "cazi token create laptop --for ada --expires 90d",
      "cazi token create ci --for ada --agent fixer --role operator",
      "cazi token revoke 01jx...",
    ],
  });
  inTenant(group.command("create"))
    .description("make a token, and print it: this once")
    .argument("<name>", "what it is for")
    .requiredOption("--for <user>", "the user who answers for what is done with it")
    .addOption(new Option("--agent <name>", "it is an agent's, of this name").conflicts("automation"))
    .option("--automation <name>", "it is an automation's, of this name")
    .addOption(roleOption("what it may do; the user's own role unless given"))
    .option("--expires <when>", "when it ends: 12h, 90d, or a time; never unless given")
    .addOption(formatOption(undefined, ["json"]))
    .action((name, options) => run(async (context) => (await load()).tokenCreate(context, name, options)));
  inTenant(listed(group, "print tokens, newest first; never the tokens themselves")).action((options) =>
    run(async (context) => (await load()).tokenList(context, options)),
  );
  inTenant(group.command("revoke"))
    .description("end a token at once and for ever")
    .argument("<id>", "its id")
    .action((id, options) => run(async (context) => (await load()).tokenRevoke(context, id, options)));
}

function roleOption(about: string): Option {
  return new Option("--role <role>", about).choices(["viewer", "operator", "admin"]);
}

function inTenant(command: Command): Command {
  return command.option("--tenant <name>", "another tenant; for admins of the installation");
}

function listed(group: Command, about: string): Command {
  return group
    .command("list")
    .description(about)
    .option("--limit <count>", "how many", wholeNumber(1, listMax), 1000)
    .option("--cursor <cursor>", "go on behind an earlier page")
    .addOption(formatOption("table"));
}
