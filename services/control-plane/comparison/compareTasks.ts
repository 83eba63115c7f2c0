import type { Comparison, ComparisonQuery, StreamComparison } from "../../../schemas/api/comparison.ts";
import type { Task } from "../../../schemas/api/task.ts";
import { isTerminalStatus } from "../../../schemas/api/taskStatus.ts";
import type { LogStream } from "../../../streams/subjects.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import { type OutputPorts, type RawOutput, rawOutput } from "../output/rawOutput.ts";
import { findTaskInLedger } from "../tasks/findTask.ts";
import { compareBytes } from "./compareBytes.ts";

type ComparePorts = OutputPorts;

/**
 * Whether a task and another one, which it replays unless another is named, ended alike and printed the same
 * bytes. Both outputs are read side by side, a piece at a time.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`, `TASK_NOT_ENDED`, `REQUEST_INVALID` for a task that is no
 *   replay; Retryable `LOGS_UNAVAILABLE`, `OUTPUT_LATE`; Poison `OUTPUT_INCOMPLETE`
 */
export async function compareTasks(
  ports: ComparePorts,
  key: TaskKey,
  query: ComparisonQuery,
): Promise<Comparison> {
  const task = await findTaskInLedger(ports, key);
  const other = await findTaskInLedger(ports, { ...key, task: query.with ?? replayedBy(task) });
  for (const one of [task, other]) requireEnd(one);
  const stdout = await compareStream(ports, { key, task, other, stream: "stdout" });
  const stderr = await compareStream(ports, { key, task, other, stream: "stderr" });
  const outcome = compareOutcomes(task, other);
  return {
    task: task.id,
    with: other.id,
    same: outcome.same && stdout.same && stderr.same,
    same_spec: task.spec_digest === other.spec_digest,
    same_image: sameImage(task, other),
    outcome,
    stdout,
    stderr,
  };
}

function replayedBy(task: Task): string {
  const [kind, id] = task.source.split(":");
  if (kind === "replay" && id !== undefined) return id;
  throw new Rejection(
    "REQUEST_INVALID",
    "The task is no replay, so it has to be said what to compare it with.",
    {
      hint: "Name the other task: ?with=<id>.",
    },
  );
}

function requireEnd(task: Task): void {
  if (isTerminalStatus(task.status)) return;
  throw new Rejection(
    "TASK_NOT_ENDED",
    `Task ${task.id} is ${task.status}; only what is over can be compared.`,
    {
      hint: "Wait for its end, with ?wait= or `cazi wait`, then ask again.",
      fields: { task_id: task.id },
    },
  );
}

function compareOutcomes(task: Task, other: Task): Comparison["outcome"] {
  const [a, b] = [task, other].map(({ status, exit_code, signal, reason }) => ({
    status,
    exit_code,
    signal,
    reason,
  })) as [Comparison["outcome"]["task"], Comparison["outcome"]["with"]];
  const same = a.status === b.status && a.exit_code === b.exit_code && a.signal === b.signal;
  return { same, task: a, with: b };
}

/** By what names the bytes of an image; its name alone may be another image by now. */
function sameImage(task: Task, other: Task): boolean {
  const a = task.image;
  const b = other.image;
  if (a === null || b === null) return a === b;
  if (a.repo_digest !== null && b.repo_digest !== null) return a.repo_digest === b.repo_digest;
  return a.image_id !== null && a.image_id === b.image_id;
}

async function compareStream(
  ports: ComparePorts,
  of: { readonly key: TaskKey; readonly task: Task; readonly other: Task; readonly stream: LogStream },
): Promise<StreamComparison> {
  const { key, task, other, stream } = of;
  const [a, b] = await Promise.all(
    [task, other].map((one) => rawOutput(ports, { ...key, task: one.id }, { stream })),
  );
  const { difference, read } = await compareBytes(a!.bytes, b!.bytes);
  const dropped_bytes = { task: a!.dropped, with: b!.dropped };
  return {
    same: difference === null && dropped_bytes.task === dropped_bytes.with,
    bytes: { task: keptOf(a!, stream) ?? read, with: keptOf(b!, stream) ?? read },
    dropped_bytes,
    first_difference: difference,
  };
}

/** Bytes that the task's end counted; null where it counted none, because nobody saw the end. */
function keptOf({ task }: RawOutput, stream: LogStream): number | null {
  return task.logs?.[stream].stored ?? null;
}
