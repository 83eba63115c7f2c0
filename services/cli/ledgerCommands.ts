/** The ledger beside its copy: is it whole, and make it whole. */
import { type AddCommand, formatOption, type RunStart, wholeNumber } from "./commandKit.ts";

export function addLedgerCommands(add: AddCommand, run: RunStart): void {
  const group = add("ledger", {
    about: "compare the ledger with its copy in Postgres, and repair it from there",
    examples: [
      "cazi ledger verify",
      "cazi ledger repair --dry-run",
      "cazi ledger repair",
      "cazi ledger conflicts",
      "cazi ledger forget relay",
    ],
  });
  group
    .command("verify")
    .description("compare every event with its copy; exits 1 when they differ. Cazi may go on meanwhile")
    .addOption(formatOption("table"))
    .action((options) =>
      run(async (context) => (await import("./commands/ledgerVerify.ts")).ledgerVerify(context, options)),
    );
  group
    .command("repair")
    .description("put back what the ledger has lost, each event at its old place. Cazi must be running")
    .option("--dry-run", "only say what would be done")
    .addOption(formatOption("table"))
    .action((options) =>
      run(async (context) => (await import("./commands/ledgerRepair.ts")).ledgerRepair(context, options)),
    );
  group
    .command("conflicts")
    .description("list events that are in no history and that a person has to look at")
    .option("--limit <n>", "at most so many", wholeNumber(1, 10_000), 100)
    .addOption(formatOption("table"))
    .action((options) =>
      run(async (context) =>
        (await import("./commands/ledgerConflicts.ts")).ledgerConflicts(context, options),
      ),
    );
  group
    .command("forget <reader>")
    .description(
      "no longer wait for a reader of the ledger (projector or relay) that is gone for good, before erased tasks are cleared",
    )
    .addOption(formatOption("table"))
    .action((reader, options) =>
      run(async (context) =>
        (await import("./commands/ledgerForget.ts")).ledgerForget(context, reader, options),
      ),
    );
}
