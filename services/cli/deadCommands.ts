/** The commands about messages that could not be handled. */
import { type AddCommand, formatOption, type RunStart, wholeNumber } from "./commandKit.ts";

const listMax = 1_000_000;

export function addDeadCommands(add: AddCommand, run: RunStart): void {
  const group = add("dead", {
    about: "look at messages that could not be handled, send them again, or drop them (docs/sinks.md)",
    examples: ["cazi dead list", "cazi dead show 7", "cazi dead resend 7"],
  });
  group
    .command("list")
    .description("print them, the oldest first: sinks that have failed, reports that nobody can read")
    .option("--limit <count>", "how many", wholeNumber(1, listMax), 1000)
    .option("--cursor <cursor>", "go on behind an earlier page")
    .addOption(formatOption("table"))
    .action((options) =>
      run(async (context) => (await import("./commands/dead.ts")).deadList(context, options)),
    );
  group
    .command("show <id>")
    .description("print one, whole")
    .addOption(formatOption("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/dead.ts")).deadShow(context, id, options)),
    );
  group
    .command("resend <id>")
    .description("send one on its way again: a sink under the id that it always had")
    .addOption(formatOption("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/dead.ts")).deadResend(context, id, options)),
    );
  group
    .command("drop <id>")
    .description("remove one for good")
    .action((id) => run(async (context) => (await import("./commands/dead.ts")).deadDrop(context, id)));
}
