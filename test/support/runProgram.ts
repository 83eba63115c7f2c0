/** Runs a program and keeps the very bytes it printed. */
import { type ChildProcess, spawn } from "node:child_process";

export interface ProgramResult {
  /** The exit code, or the name of the signal that ended it. */
  readonly exit: number | string;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What it printed so far on both streams. */
  text(): string;
  stdoutSoFar(): Buffer;
  readonly done: Promise<ProgramResult>;
}

/** Starts `command`; it ends with the process group of the tests. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly input?: string | Uint8Array },
): RunningProgram {
  const stdio = [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"] as const;
  const child = spawn(command, [...args], { env: options.env, cwd: options.cwd, stdio: [...stdio] });
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout?.on("data", (data: Buffer) => printed.stdout.push(data));
  child.stderr?.on("data", (data: Buffer) => printed.stderr.push(data));
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.input);
  const done = new Promise<ProgramResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve({
        exit: code ?? signal ?? "?",
        stdout: Buffer.concat(printed.stdout),
        stderr: Buffer.concat(printed.stderr),
      }),
    );
  });
  done.catch(() => {});
  if (child.pid === undefined) throw new Error(`${command} could not be started`);
  return {
    child,
    pid: child.pid,
    text: () => Buffer.concat([...printed.stdout, ...printed.stderr]).toString(),
    stdoutSoFar: () => Buffer.concat(printed.stdout),
    done,
  };
}
