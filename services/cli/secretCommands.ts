/** The commands about stored secrets of tasks, and the keys of workload tokens. */
import type { Command } from "commander";
import { type AddCommand, formatOption, type RunStart, several } from "./commandKit.ts";

const load = () => import("./commands/connections.ts");
const loadKeys = () => import("./commands/keys.ts");

export function addSecretCommands(add: AddCommand, run: RunStart): void {
  const group = add("connection", {
    about: "stored secrets for tasks: values go in and never come out (docs/connections.md)",
    examples: [
      "cazi connection set github --env GITHUB_TOKEN=@-            (value on standard input)",
      "cazi connection set db --env PGPASSWORD=@pw.txt --file tls/ca.pem=@ca.pem",
      "cazi connection set ghcr --registry ghcr.io --username bot --password-stdin",
    ],
  });
  addSet(group, run);
  group
    .command("list")
    .description("print the connections, without values")
    .addOption(formatOption("table"))
    .action((options) => run(async (context) => (await load()).connectionList(context, options)));
  group
    .command("show")
    .description("print one connection, without its values")
    .argument("<name>", "its name")
    .addOption(formatOption("table"))
    .action((name, options) => run(async (context) => (await load()).connectionShow(context, name, options)));
  group
    .command("remove")
    .description("remove a connection; tasks that name it and did not start end with connection_missing")
    .argument("<name>", "its name")
    .option("--forget", "destroy its values for good: output of tasks that used it is not masked any more")
    .action((name, options) =>
      run(async (context) => (await load()).connectionRemove(context, name, options)),
    );
  addKeys(add, run);
}

function addSet(group: Command, run: RunStart): void {
  group
    .command("set")
    .description("store a connection, replacing all of it; a value is read from a file, or from - for stdin")
    .argument("<name>", "its name: what specs say in `connections`")
    .option("--env <NAME=@file>", "a variable of the container; may be repeated", several)
    .option("--file <path=@file>", "a file below /run/secrets/cazi/<name>; may be repeated", several)
    .option("--registry <host>", "credentials for pulls from this registry, such as ghcr.io or docker.io")
    .option("--username <name>", "with --registry")
    .option("--password-stdin", "with --registry: the password is on standard input")
    .option("--description <text>", "what it is for")
    .addOption(formatOption("table"))
    .action((name, options) => run(async (context) => (await load()).connectionSet(context, name, options)));
}

function addKeys(add: AddCommand, run: RunStart): void {
  const group = add("keys", {
    about: "the keys that workload tokens are signed with (docs/workload-identity.md)",
    examples: ["cazi keys list", "cazi keys rotate", "cazi keys rotate --now", "cazi keys revoke KEY"],
  });
  group
    .command("list")
    .description("print the keys and what each is doing")
    .addOption(formatOption("table"))
    .action((options) => run(async (context) => (await loadKeys()).keysList(context, options)));
  group
    .command("rotate")
    .description("publish a new key, which signs once verifiers had time to read it")
    .option("--now", "sign with it at once: for a key that is no longer trusted")
    .addOption(formatOption("table"))
    .action((options) => run(async (context) => (await loadKeys()).keysRotate(context, options)));
  group
    .command("revoke")
    .description("take a key away that others may have: what it signed is refused at once, and another signs")
    .argument("<key>", "its id")
    .addOption(formatOption("table"))
    .action((key, options) => run(async (context) => (await loadKeys()).keysRevoke(context, key, options)));
}
