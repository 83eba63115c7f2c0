/** The `agent` program of the command line: a tree of commands, each with its own flag table. */
import { Command } from "commander";
import { CaziError, Rejection } from "../../kernel/errors.ts";
import { plainLine } from "../membrane/plainLine.ts";
import type { AgentCommand, AgentIo } from "./agentIo.ts";
import { commandTable } from "./commandTable.ts";
import { EXIT, exitCodeOf } from "./exitCodes.ts";
import { helpText } from "./helpText.ts";
import { parseFlags, usage } from "./parseFlags.ts";
import { wordsFault } from "./wordsFault.ts";

const exitCodeNotes = `
Exit codes: 64 usage, 65 data or integrity, 66 input missing, 70 the run failed, 74 input/output,
75 not possible now, 76 refused by policy, 78 a control that is not available.
`;

const groupNotes: Readonly<Record<string, string>> = {
  policy: "Check, explain, compare and change policy files.",
  tool: "What tools there are.",
  template: "Projects to start from.",
  approval: "Decide what waits for a person.",
  schedule: "Durable jobs.",
};

/**
 * @param of.io null until a command runs: whoever embeds this gives the world lazily
 * @param of.done takes the exit code
 */
export function agentProgram(of: {
  readonly io: () => AgentIo;
  readonly done: (code: number) => void;
}): Command {
  const program = new Command("agent")
    .description("Run code that a model wrote, with the authority that you name and a record of all it does.")
    .showHelpAfterError("(`cazi agent --help` lists the commands)")
    .addHelpText("after", exitCodeNotes);
  answerAlone(program, of);
  const groups = new Map<string, Command>();
  for (const command of commandTable) {
    const words = command.name.split(" ");
    addLeaf(
      words.length === 1 ? program : groupOf(program, groups, words[0]!, of),
      words.at(-1)!,
      command,
      of,
    );
  }
  return program;
}

interface ProgramOptions {
  readonly io: () => AgentIo;
  readonly done: (code: number) => void;
}

/** Without a command this is a question, not a mistake; with a word that is none, it is one. */
function answerAlone(command: Command, of: ProgramOptions): void {
  command
    .allowExcessArguments()
    .allowUnknownOption()
    .action((_options: unknown, self: Command) => {
      const [word] = self.args;
      if (word === undefined) {
        of.io().out(self.helpInformation() + exitCodeNotes);
        of.done(0);
      } else {
        of.io().err(`There is no command ${word}.\n${self.helpInformation()}`);
        of.done(EXIT.usage);
      }
    });
}

function groupOf(program: Command, groups: Map<string, Command>, name: string, of: ProgramOptions): Command {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const group = program.command(name).description(groupNotes[name] ?? "");
  answerAlone(group, of);
  groups.set(name, group);
  return group;
}

function addLeaf(parent: Command, word: string, command: AgentCommand, of: ProgramOptions): void {
  parent
    .command(word)
    .description(command.about)
    .usage(command.usage)
    // The flags have a grammar of their own: all words are taken as they stand.
    .helpOption(false)
    .allowUnknownOption()
    .argument("[words...]")
    .action(async (_words: string[], _options: unknown, self: Command) => {
      of.done(await runCommand(command, self.args, of.io()));
    });
}

/** Runs one command with the words after its name; gives the exit code. Failures are told on standard error. */
export async function runCommand(
  command: AgentCommand,
  words: readonly string[],
  io: AgentIo,
): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) {
    io.out(helpText(command));
    return 0;
  }
  try {
    const flags = parseFlags(command.flags, words);
    const fault = wordsFault(command, flags.positionals);
    if (fault !== null) throw usage(fault);
    if (flags.switches.has("json") && flags.switches.has("human")) {
      throw usage("Give --json or --human, not both.");
    }
    const run = await command.load();
    return await run(io, flags);
  } catch (error) {
    const failure = isSystemError(error) ? failureOfSystem(error) : error;
    if (!(failure instanceof CaziError)) throw failure;
    const { message, code, hint } = failure;
    io.err(`${plainLine(`cazi agent ${command.name}: ${message} (${code})`)}\n`);
    if (hint !== undefined) io.err(`${plainLine(hint)}\n`);
    return exitCodeOf(code);
  }
}

function failureOfSystem(error: NodeJS.ErrnoException): Rejection {
  const { code = "", syscall = "", path } = error;
  const where = path === undefined ? "" : ` of ${path}`;
  const why = code === "ENOENT" ? "there is no such file or folder" : `the system says ${code}`;
  return new Rejection("FILE_UNUSABLE", `The ${syscall}${where} failed: ${why}.`, { cause: error });
}

/** A disk that is full, a folder that may not be written: told like any failure, and not a bug of this program. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error && "syscall" in error && typeof (error as NodeJS.ErrnoException).code === "string"
  );
}
