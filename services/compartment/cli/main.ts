/** The agent program on its own, for trying it without the rest: the only file here that reads the process. */
import { randomInt } from "node:crypto";
import { Command, CommanderError } from "commander";
import { systemClock } from "../../kernel/clock.ts";
import type { AgentIo } from "./agentIo.ts";
import { agentProgram } from "./program.ts";

const io: AgentIo = {
  cwd: process.cwd(),
  env: process.env,
  clock: systemClock,
  seed: () => randomInt(2 ** 32),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  async readStdin() {
    let text = "";
    for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
    return text;
  },
};

const USAGE = 64;
const words = process.argv.slice(2);
try {
  const program = new Command("cazi").addCommand(
    agentProgram({
      io: () => io,
      done: (code) => {
        process.exitCode = code;
      },
    }),
  );
  program.exitOverride();
  await program.parseAsync(words[0] === "agent" ? words : ["agent", ...words], { from: "user" });
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : USAGE;
}
