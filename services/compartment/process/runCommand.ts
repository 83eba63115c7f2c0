/** One command in a process group of its own, so that its end is the end of all that it started. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { JsonObject } from "../membrane/jsonText.ts";
import { type RecordEntry, ToolFailure } from "../tools/tool.ts";

export interface CommandRun {
  readonly path: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** `full`: the text is in the result. `stream`: it is in the log, chunk by chunk. `summary`: only its size and hash. */
  readonly output: "full" | "summary" | "stream";
  /** Of both streams together. */
  readonly outputBytesMax: number;
  readonly chunkBytes: number;
}

/** After the end of a command, for what is still in its pipes. */
const PIPES_CLOSE_LIMIT_MS = 1000;

type StreamName = "stdout" | "stderr";

/** @throws ToolFailure `PROCESS_NOT_STARTED`, `BUDGET_EXCEEDED`, `PROCESS_KILLED` after an abort */
export async function runCommand(
  run: CommandRun,
  of: { readonly signal: AbortSignal; readonly record: RecordEntry },
): Promise<JsonObject> {
  const child = spawn(run.path, run.argv, {
    cwd: run.cwd,
    env: { ...run.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const kill = () => killGroup(child);
  of.signal.addEventListener("abort", kill, { once: true });
  const output = { stdout: collect(), stderr: collect() };
  let overLimit = false;
  for (const name of ["stdout", "stderr"] as const) {
    child[name]!.on("data", (chunk: Buffer) => {
      if (overLimit) return;
      output[name].add(chunk);
      if (output.stdout.bytes() + output.stderr.bytes() > run.outputBytesMax) {
        overLimit = true;
        kill();
      } else if (run.output === "stream") recordChunks(run, name, chunk, of.record);
    });
  }
  try {
    const [code, signal] = await ended(child);
    if (of.signal.aborted) throw new ToolFailure("PROCESS_KILLED", "the command was ended before its time");
    if (overLimit) throw tooMuch(run, output.stdout.bytes() + output.stderr.bytes(), of.record);
    return resultOf(run, code, signal, output);
  } finally {
    of.signal.removeEventListener("abort", kill);
    child.stdout!.destroy();
    child.stderr!.destroy();
  }
}

/** How it ended, once all that it wrote was read. */
function ended(child: ChildProcess): Promise<readonly [number | null, string | null]> {
  return new Promise((resolve, reject) => {
    child.on("error", () =>
      reject(new ToolFailure("PROCESS_NOT_STARTED", "the command could not be started")),
    );
    child.on("exit", (code, signal) => {
      // What it left behind in its group would keep the pipes; what left the group is not waited for.
      killGroup(child);
      const timer = setTimeout(() => resolve([code, signal]), PIPES_CLOSE_LIMIT_MS);
      child.on("close", () => {
        clearTimeout(timer);
        resolve([code, signal]);
      });
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // All of the group has ended already.
  }
}

function collect() {
  const chunks: Buffer[] = [];
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    add(chunk: Buffer) {
      chunks.push(chunk);
      hash.update(chunk);
      bytes += chunk.length;
    },
    bytes: () => bytes,
    text: () => Buffer.concat(chunks).toString("utf8"),
    sha256: () => hash.copy().digest("hex"),
  };
}

function recordChunks(run: CommandRun, stream: StreamName, chunk: Buffer, record: RecordEntry): void {
  for (let at = 0; at < chunk.length; at += run.chunkBytes) {
    const part = chunk.subarray(at, at + run.chunkBytes);
    record("process_output_stream", { stream, bytes: part.length, text: part.toString("utf8") });
  }
}

function tooMuch(run: CommandRun, attempted: number, record: RecordEntry): ToolFailure {
  record("process_output_budget", { tool: "process", limit: run.outputBytesMax, attempted });
  record("budget_exceeded", {
    budget: "process_output_bytes",
    limit: run.outputBytesMax,
    attempted,
    tool: "process",
  });
  return new ToolFailure("BUDGET_EXCEEDED", "the command wrote more than its budget");
}

function resultOf(
  run: CommandRun,
  code: number | null,
  signal: string | null,
  output: Readonly<Record<StreamName, ReturnType<typeof collect>>>,
): JsonObject {
  const about = (name: StreamName) => ({
    bytes: output[name].bytes(),
    sha256: output[name].sha256(),
    ...(run.output === "full" ? { text: output[name].text() } : {}),
  });
  return { code, signal, stdout: about("stdout"), stderr: about("stderr") };
}
