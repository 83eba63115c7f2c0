/** One call of the command line: arguments in, exit code out. Everything else that happens goes through `context`. */
import { CommanderError } from "commander";
import type { CliContext } from "./context.ts";
import { errorExitCode, exitCodes } from "./exitCode.ts";
import { failureText } from "./failureText.ts";
import { ReaderGone } from "./output/output.ts";
import { createProgram } from "./program.ts";

/**
 * @param args without the program's own name
 * @returns the exit code; never throws for a failure a user can cause or meet
 */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  const name = args.find((argument) => !argument.startsWith("-"));
  const verifies = name === "replay" && args.includes("--verify");
  const givesTaskCode = name === "run" || name === "wait" || verifies;
  let code: number = exitCodes.ok;
  const program = createProgram({
    version: context.version,
    write: {
      out: (text) => context.stdout.write(text),
      err: (text) => context.stderr.write(text),
    },
    run: async (start) => {
      code = await start(context);
    },
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof ReaderGone) return exitCodes.ok;
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.ok;
      return givesTaskCode ? exitCodes.taskUnknown : exitCodes.usage;
    }
    await context.output.message(failureText(error));
    return errorExitCode(error, givesTaskCode);
  }
}
