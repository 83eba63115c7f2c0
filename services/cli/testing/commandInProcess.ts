/** A command line in this process: arguments, environment and standard input in; exit code and what was printed out. */
import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import { systemClock } from "../../kernel/clock.ts";
import { loadConfig } from "../../kernel/config.ts";
import { createOutput } from "../output/output.ts";
import { runCli } from "../runCli.ts";

export interface CommandInput {
  readonly env: Readonly<Record<string, string>>;
  /** Nothing unless given. */
  readonly stdin?: string;
  /** In place of the one whose text is in the result. */
  readonly stdout?: Writable;
}

export interface CommandDone {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly done: Promise<CommandDone>;
  /** Where it listens for signals. */
  readonly signals: EventEmitter;
  /** What `exitNow` was called with. */
  readonly exits: readonly number[];
}

/** Starts it, without a terminal. */
export function startCommand(args: readonly string[], input: CommandInput): RunningCommand {
  const [printed, told] = [collector(), collector()];
  const { env, stdin = "", stdout = printed.stream } = input;
  const signals = new EventEmitter();
  const exits: number[] = [];
  const done = runCli(args, {
    env,
    version: "0.0.0",
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr: told.stream,
    output: createOutput({ stdout, stderr: told.stream }),
    clock: systemClock,
    random: () => 0,
    fetch,
    signals,
    exitNow: (code) => void exits.push(code),
    settings: () => loadConfig(env, () => ""),
  }).then((code) => ({ code, stdout: printed.text(), stderr: told.text() }));
  return { done, signals, exits };
}

/** The same to its end. */
export function runCommand(args: readonly string[], input: CommandInput): Promise<CommandDone> {
  return startCommand(args, input).done;
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
