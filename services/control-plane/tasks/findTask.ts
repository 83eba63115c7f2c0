import type { Task } from "../../../schemas/api/task.ts";
import { isTerminalStatus } from "../../../schemas/api/taskStatus.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskKey, TaskVersion } from "../../kernel/ledger/taskLedger.ts";
import type { ApiPorts, LocatedTask } from "../ports.ts";
import { artifactsInLedger } from "./artifactsInLedger.ts";
import { attemptsInLedger, attemptsOfState, isFirstAttempt } from "./attemptsInLedger.ts";
import { sinkResultsInLedger } from "./sinkViews.ts";
import { taskFromLedger } from "./taskFromLedger.ts";

type FindPorts = Pick<ApiPorts, "reads" | "ledger" | "pendingReason">;

/**
 * A task by its id: from the read models, or from the ledger where they are behind, so that the location that a
 * submit answered with is there at once.
 * @throws Rejection `TASK_NOT_FOUND` (also for another tenant's), `TASK_ERASED`
 */
export async function findTask(ports: FindPorts, key: TaskKey): Promise<LocatedTask> {
  const found = await ports.reads.findTask(key);
  if (found === null) return locateInLedger(ports, key);
  return { ...found, task: withPendingReason(ports, found.task) };
}

/**
 * The task as the ledger has it now, for those who read its output. Needs no Postgres. A first attempt comes without
 * the times of its offer and grant: most tasks have no other, and their readers are spared the events between.
 * @throws as {@link findTask}
 */
export async function findTaskInLedger(
  ports: Pick<FindPorts, "ledger" | "pendingReason">,
  key: TaskKey,
): Promise<Task> {
  const { version, spec } = await readTask(ports, key);
  const { state } = version;
  const attempts = isFirstAttempt(state)
    ? attemptsOfState(state)
    : await attemptsInLedger(ports.ledger, key, version);
  const artifacts = await artifactsInLedger(ports.ledger, key, version);
  return withPendingReason(ports, taskFromLedger({ key, state, spec, attempts, artifacts }));
}

/** The task as the ledger has it now, whole, and its place. Needs no Postgres. @throws as {@link findTask} */
export async function locateInLedger(
  ports: Pick<FindPorts, "ledger" | "pendingReason">,
  key: TaskKey,
): Promise<LocatedTask> {
  const { version, spec } = await readTask(ports, key);
  const { state } = version;
  const [attempts, artifacts, sinks] = await Promise.all([
    attemptsInLedger(ports.ledger, key, version),
    artifactsInLedger(ports.ledger, key, version),
    sinkResultsInLedger(ports.ledger, key, version),
  ]);
  const task = withPendingReason(ports, taskFromLedger({ key, state, spec, attempts, artifacts, sinks }));
  return { task, seq: version.seq };
}

/** @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED` */
async function readTask(
  ports: Pick<FindPorts, "ledger">,
  key: TaskKey,
): Promise<{ readonly version: TaskVersion; readonly spec: WorkloadSpec }> {
  const [version, first] = await Promise.all([ports.ledger.load(key), ports.ledger.first(key)]);
  if (first === null || !("spec" in first.body)) {
    // Erasure leaves a last message without a first one; anything else is not there at all.
    const erased = version.state.status === "erased";
    throw new Rejection(
      erased ? "TASK_ERASED" : "TASK_NOT_FOUND",
      erased ? "The task has been erased." : "There is no such task.",
    );
  }
  return { version, spec: JSON.parse(first.body.spec) as WorkloadSpec };
}

/**
 * The task as soon as it is over, or as it is after `waitMs`. Long answers end when the server does.
 * @throws as {@link findTask}
 */
export async function waitForEnd(
  ports: Pick<ApiPorts, "ledger" | "ends" | "pendingReason" | "stopping">,
  key: TaskKey,
  wait: { readonly ms: number; readonly gone: AbortSignal },
): Promise<LocatedTask> {
  const done = new AbortController();
  const signal = AbortSignal.any([ports.stopping, wait.gone, AbortSignal.timeout(wait.ms), done.signal]);
  try {
    // Listening first: what ends between the two is not missed.
    const ended = ports.ends.ended(key.task, signal);
    const now = await locateInLedger(ports, key);
    if (isTerminalStatus(now.task.status)) return now;
    await ended;
    return await locateInLedger(ports, key);
  } finally {
    done.abort();
  }
}

function withPendingReason(ports: Pick<FindPorts, "pendingReason">, found: Task): Task {
  return found.status === "pending" ? { ...found, pending_reason: ports.pendingReason(found) } : found;
}
