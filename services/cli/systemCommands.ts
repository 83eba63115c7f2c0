/** The commands about Cazi itself. */
import { Argument, type Command } from "commander";
import { roles } from "../kernel/roles.ts";
import { type AddCommand, formatOption, type RunStart } from "./commandKit.ts";
import { addMcpCommands } from "./mcpCommands.ts";

export function addSystemCommands(program: Command, add: AddCommand, run: RunStart): void {
  add("up", {
    about: "run everything on this machine, in the foreground; Ctrl-C ends it",
    examples: ["cazi up", "CAZI_HOME=/srv/cazi CAZI_PORT=8080 cazi up"],
  }).action(() => run(async (context) => (await import("./commands/up.ts")).runUp(context)));
  add("down", {
    about: "end the `cazi up` of this home; running tasks are cancelled first",
    examples: ["cazi down", "cazi down --keep"],
  })
    .option("--keep", "leave containers running; the next start reports how they ended")
    .action((options) => run(async (context) => (await import("./commands/down.ts")).down(context, options)));
  addServe(add, run);
  addProjections(program, run);
  add("config", {
    about: "print every setting, its value and where that came from",
    examples: ["cazi config", "cazi config -o json"],
  })
    .addOption(formatOption("table"))
    .action((options) =>
      run(async (context) => (await import("./commands/config.ts")).config(context, options)),
    );
  add("doctor", {
    about: "look at what Cazi stands on, and say what is missing and what is not enforced",
    examples: ["cazi doctor", "cazi doctor -o json"],
  })
    .addOption(formatOption("table"))
    .action((options) =>
      run(async (context) => (await import("./commands/doctor.ts")).doctor(context, options)),
    );
  add("explain [code]", {
    about:
      "print what a code of a failure means and what to do, or, for a task's id, what became of each attempt; without one, all codes",
    examples: ["cazi explain TASK_NOT_FOUND", 'cazi explain "$id"', "cazi explain -o json"],
  })
    .addOption(formatOption("table"))
    .action((code, options) =>
      run(async (context) => (await import("./commands/explain.ts")).explain(context, code, options)),
    );
  addNats(program, run);
  addMcpCommands(add, run);
}

function addNats(program: Command, run: RunStart): void {
  program
    .command("nats")
    .description("keys of NATS servers of one's own")
    .command("init <folder>")
    .description(
      "make the operator, the accounts and the credentials that a fleet needs; what is there is kept",
    )
    .action((folder) =>
      run(async (context) => (await import("./commands/natsInit.ts")).natsInit(context, folder)),
    );
}

function addServe(add: AddCommand, run: RunStart): void {
  add("serve", {
    about: "run one role alone, in the foreground",
    examples: [
      "NATS_URL=nats://nats:4222 DATABASE_URL=postgres://db/cazi cazi serve control-plane",
      "NATS_URL=tls://nats:4222 NATS_CA=ca.pem NATS_CREDS=b.creds cazi serve node --slots 4",
    ],
  })
    .addArgument(new Argument("<role>", "which").choices(roles))
    .option(
      "--name <name>",
      "node: its name (CAZI_NODE); in an account of its own it follows from the credentials",
    )
    .option("--slots <count>", "node: attempts at once (CAZI_NODE_SLOTS)")
    .option("--labels <name=value,...>", "node: its labels (CAZI_NODE_LABELS)")
    .option("--tags <tag,...>", "node: its tags (CAZI_NODE_TAGS)")
    .option("--networks <network,...>", "node: networks that tasks may ask for (CAZI_NODE_NETWORKS)")
    .option("--mounts <path,...>", "node: host paths that tasks may mount (CAZI_NODE_MOUNTS)")
    .option("--runtime <kind>", "node: docker or compartment (CAZI_NODE_RUNTIME)")
    .action((role, options) =>
      run(async (context) => (await import("./commands/serve.ts")).serve(context, role, options)),
    );
}

function addProjections(program: Command, run: RunStart): void {
  program
    .command("projections")
    .description("the read models in Postgres")
    .command("rebuild")
    .description("build the read models anew from the ledger's copy in Postgres, then swap them in")
    .addHelpText("before", "Examples:\n  cazi projections rebuild\n")
    .action(() =>
      run(async (context) => (await import("./commands/rebuildProjections.ts")).rebuildProjections(context)),
    );
}
