/** What a command is given of the world; only `main.ts` (and whoever embeds the program) reads the process. */
import type { Clock } from "../../kernel/clock.ts";
import type { GuestPool } from "../engine/guestPool.ts";
import type { NetworkPort } from "../network/networkPort.ts";
import type { FlagTable, ParsedFlags } from "./parseFlags.ts";

export interface AgentIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly guests: GuestPool;
  readonly network: NetworkPort;
  /** A new unsigned 32-bit number; it is recorded, so that a run can be looked at again. */
  readonly seed: () => number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly readStdin: () => Promise<string>;
}

/** Runs a command; gives the exit code. */
export type RunCommand = (io: AgentIo, flags: ParsedFlags) => Promise<number>;

export interface AgentCommand {
  /** As typed, `policy validate` for one of a group. */
  readonly name: string;
  /** The positionals, for the help. */
  readonly usage: string;
  readonly about: string;
  readonly examples: readonly string[];
  readonly positionals: readonly [min: number, max: number];
  readonly flags: FlagTable;
  readonly load: () => Promise<RunCommand>;
}
