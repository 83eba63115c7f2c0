import type { LogStream } from "../../../streams/subjects.ts";
import { Poison } from "../errors.ts";
import type { LogChunk } from "./logSource.ts";

/** The last attempt of a task, and which node has it; null before the first. */
export interface AttemptOfTask {
  readonly id: string;
  readonly attempt: number;
  readonly node: string | null;
  /** Which node has or had each attempt, where that is known. */
  readonly attempts?: readonly { readonly attempt: number; readonly node: string | null }[];
}

/**
 * True unless the chunk comes from another node than the one that is known to have or have had its attempt. A node
 * may store under its own name only, so no node can add to the output of another one's attempt.
 */
export function ofItsNode(
  chunk: Pick<LogChunk, "attempt" | "node">,
  task: Omit<AttemptOfTask, "id">,
): boolean {
  const last = chunk.attempt === task.attempt ? task.node : null;
  const node = task.attempts?.find((one) => one.attempt === chunk.attempt)?.node ?? last;
  return node === null || chunk.node === node;
}

/**
 * The very bytes of one stream of an attempt, in order, each once.
 * @throws Poison `OUTPUT_INCOMPLETE` where some are missing: a wrong output never looks like a right one
 */
export async function* exactBytes(
  chunks: AsyncIterable<LogChunk>,
  of: { readonly task: AttemptOfTask; readonly stream: LogStream },
): AsyncGenerator<Uint8Array> {
  let expected = 0;
  for await (const chunk of chunks) {
    if (chunk.dropped !== null || !ofItsNode(chunk, of.task)) continue;
    if (chunk.offset > expected) {
      throw new Poison(
        "OUTPUT_INCOMPLETE",
        `Bytes ${expected} to ${chunk.offset} of ${of.stream} are missing.`,
        { fields: { task_id: of.task.id } },
      );
    }
    const fresh = chunk.bytes.subarray(expected - chunk.offset);
    expected += fresh.length;
    if (fresh.length > 0) yield fresh;
  }
}
