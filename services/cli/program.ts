/**
 * The commands and their options. Only this and the option parser are loaded to answer `--help`; each command's
 * own file is loaded when it runs.
 */
import { Command } from "commander";
import type { AddCommand, RunStart } from "./commandKit.ts";
import { addDeadCommands } from "./deadCommands.ts";
import { addLedgerCommands } from "./ledgerCommands.ts";
import { addNodeCommands } from "./nodeCommands.ts";
import { addPeopleCommands } from "./peopleCommands.ts";
import { addSecretCommands } from "./secretCommands.ts";
import { addSubscriberCommands } from "./subscriberCommands.ts";
import { addSystemCommands } from "./systemCommands.ts";
import { addTaskCommands } from "./taskCommands.ts";

const examples = `Examples:
  cazi up                                     start everything on this machine
  cazi run deploy/examples/hello.yaml         run a task, print its output, exit as it does
  id=$(cazi submit task.yaml)                 submit a task and keep its id
  cazi logs -f "$id"                          follow what it prints
  cazi wait "$id"; echo $?                    wait for its end, exit as it did
  cazi list --status running -o json          tasks as data
`;

const exitCodeNotes = `
Exit codes: 0 done, 1 failure, 2 usage, 3 not found, 4 denied, 5 conflict, 6 timed out. \`run\` and \`wait\` exit
as the task did: its own code, 128 + n for signal n, 124 timeout, 130 cancelled, 125 when it never ran or Cazi
itself failed. CAZI_HOME, or CAZI_URL and CAZI_TOKEN, say which server is meant; \`cazi config\` lists all settings.
`;

/** @param run takes what the chosen command starts */
export function createProgram(of: {
  readonly version: string;
  readonly write: { out(text: string): void; err(text: string): void };
  readonly run: RunStart;
}): Command {
  const program = new Command("cazi")
    .description("Runs declared tasks in disposable containers and keeps a complete record of them.")
    .version(of.version)
    .exitOverride()
    .configureOutput({ writeOut: of.write.out, writeErr: of.write.err })
    .showHelpAfterError("(`cazi --help` lists the commands)")
    .addHelpText("before", examples)
    .addHelpText("after", exitCodeNotes);
  const add: AddCommand = (usage, { about, examples }) =>
    program
      .command(usage)
      .description(about)
      .addHelpText("before", `Examples:\n${examples.map((line) => `  ${line}\n`).join("")}`);
  addTaskCommands(add, of.run);
  addNodeCommands(add, of.run);
  addDeadCommands(add, of.run);
  addPeopleCommands(add, of.run);
  addSubscriberCommands(add, of.run);
  addSecretCommands(add, of.run);
  addSystemCommands(program, add, of.run);
  addLedgerCommands(add, of.run);
  // Only named here: `main.ts` hands it over before this program is made.
  program.command("agent").description("code that a model wrote, in a sealed engine: `cazi agent --help`");
  return program;
}
