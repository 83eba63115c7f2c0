import type { TaskOutput } from "../../../schemas/api/taskOutput.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import { outputParseBytesMax } from "../limits.ts";
import { parseOutput } from "./parseOutput.ts";
import { type OutputPorts, rawOutput } from "./rawOutput.ts";

/**
 * The standard output of a task's last attempt, parsed as its spec says. What cannot be parsed is said in the
 * answer and changes nothing of the task.
 * @throws as `rawOutput`
 */
export async function readOutput(ports: OutputPorts, key: TaskKey): Promise<TaskOutput> {
  const { task, bytes, dropped, complete } = await rawOutput(ports, key, { stream: "stdout" });
  const { kept, cut, total } = await beginning(bytes);
  const format = task.spec.output_format;
  return {
    task: task.id,
    status: task.status,
    attempt: task.attempt,
    exit_code: task.exit_code,
    format,
    ...parseOutput(format, kept, cut || dropped > 0),
    bytes: task.logs?.stdout.stored ?? total,
    dropped_bytes: dropped,
    complete,
  };
}

/** As much of the output as is parsed; the rest is not read. `total` counts what was read. */
async function beginning(bytes: AsyncGenerator<Uint8Array>) {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of bytes) {
    parts.push(part);
    total += part.length;
    if (total > outputParseBytesMax) break;
  }
  const all = parts.length === 1 ? Buffer.from(parts[0]!) : Buffer.concat(parts);
  const cut = all.length > outputParseBytesMax;
  return { kept: cut ? all.subarray(0, outputParseBytesMax) : all, cut, total };
}
