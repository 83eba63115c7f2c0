/** Runs one command line of the agent program. */
import { Command, CommanderError } from "commander";
import type { AgentIo } from "./agentIo.ts";
import { EXIT } from "./exitCodes.ts";
import { agentProgram } from "./program.ts";

/** @param words what stands after `cazi agent`; gives the exit code */
export async function serveWords(words: readonly string[], io: AgentIo): Promise<number> {
  let code = 0;
  const agent = agentProgram({
    io: () => io,
    done: (ended) => {
      code = ended;
    },
  });
  const program = new Command("cazi").addCommand(agent).exitOverride();
  try {
    await program.parseAsync(["agent", ...words], { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : EXIT.usage;
  }
}
