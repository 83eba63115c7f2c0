/** Runs one command line in this process, the way the program does, and keeps what it said. */
import { type Clock, systemClock } from "../../kernel/clock.ts";
import type { AgentIo } from "../cli/agentIo.ts";
import { agentProgram } from "../cli/program.ts";
import { guests, noNetwork } from "./runProgram.ts";

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function runWords(
  words: readonly string[],
  of: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly clock?: Clock;
    readonly stdin?: string;
  },
): Promise<Said> {
  let [out, err, code] = ["", "", -1];
  const io: AgentIo = {
    cwd: of.cwd,
    env: of.env ?? {},
    clock: of.clock ?? systemClock,
    guests,
    network: noNetwork,
    seed: () => 7,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readStdin: async () => of.stdin ?? "",
  };
  const program = agentProgram({
    io: () => io,
    done: (ended) => {
      code = ended;
    },
  });
  program.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err });
  await program.parseAsync([...words], { from: "user" });
  return { code, out, err };
}
