import { createHash } from "node:crypto";
import { isTerminalStatus } from "../../../schemas/api/taskStatus.ts";
import { programOf } from "../../domain/spec/programOf.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { limitsOf } from "../../domain/task/limitsOf.ts";
import { isPlaced, type PlacedTask, type TaskState, type Who } from "../../domain/task/taskState.ts";
import { Rejection } from "../../kernel/errors.ts";
import { derivedId } from "../../kernel/ids.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { Workload } from "../artifacts/publishArtifact.ts";
import { rateLimited } from "../http/admit.ts";
import { readOutput } from "../output/readOutput.ts";
import type { ApiPorts } from "../ports.ts";
import { createTask, type SubmitPorts } from "../submit/createTask.ts";
import { cancelTask } from "../tasks/cancelTask.ts";
import { locateInLedger, waitForEnd } from "../tasks/findTask.ts";
import { childSpec } from "./childSpec.ts";

export type ChildPorts = SubmitPorts &
  Pick<ApiPorts, "admission" | "ends" | "logs" | "hintNode" | "stopping" | "log">;

/** A command of a script, as its parent sees it. */
export interface ChildView {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly message: string | null;
  readonly exit_code: number | null;
  readonly signal: number | null;
  /** The beginning of what it printed, as text; null before its end. */
  readonly stdout: string | null;
  readonly dropped_bytes: number;
}

/** Which command of which attempt: a caller can name none but its own. */
export interface Call {
  readonly by: Workload;
  readonly call: number;
}

export interface ChildTasks {
  /** The same call again is the same task. */
  submit(of: Call & { readonly command: readonly string[] }): Promise<ChildView>;
  /** As soon as it is over, or as it is after `ms`. */
  wait(of: Call & { readonly ms: number; readonly gone: AbortSignal }): Promise<ChildView>;
  /** Asking again, or for one that is over, changes nothing. */
  cancel(of: Call): Promise<ChildView>;
}

/**
 * Commands of scripts as tasks of their own. A child is a container, which has no way to more of them: it is never
 * deeper than this. When its parent's attempt is over it is cancelled, whether another one follows or not; where this process
 * is gone by then, it ends by its own limits, which are what its parent had left.
 * @returns what throws Rejection `PROCESS_NOT_GRANTED`, `STALE_FENCE`, `TASK_NOT_FOUND`, `SPEC_INVALID`, `IDEMPOTENCY_KEY_REUSED`;
 *   Retryable `RATE_LIMITED` and what `createTask` throws
 */
export function childTasks(ports: ChildPorts): ChildTasks {
  return {
    submit: async ({ by, call, command }) => {
      const { state, parent } = await parentOf(ports, by);
      const { who, traceparent, tracestate } = state;
      admit(ports, by, who);
      const id = childId(by, call);
      const made = childSpec({ parent, state, command, now: ports.clock.now() });
      const { task } = await createTask(ports, {
        tenant: by.tenant,
        who: { ...who, route: "script" },
        trace: { traceparent, tracestate },
        creation: { key: String(call), keyGiven: true, id },
        // Not its limits: they are shorter each time that it is asked for.
        requestHash: `process:${createHash("sha256").update(JSON.stringify(command)).digest("hex")}`,
        spec: made.spec,
        specJson: made.json,
        specDigest: made.digest,
        limits: limitsOf(made.spec),
        image: null,
        source: `process:${by.task}`,
        warnings: [],
      });
      if (!isTerminalStatus(task.status)) endWithParent(ports, by, { tenant: by.tenant, task: id });
      return view(ports, { tenant: by.tenant, task: id });
    },
    wait: async ({ by, call, ms, gone }) => {
      const key = { tenant: by.tenant, task: childId(by, call) };
      await waitForEnd(ports, key, { ms, gone });
      return view(ports, key);
    },
    cancel: async ({ by, call }) => {
      const key = { tenant: by.tenant, task: childId(by, call) };
      await cancelChild(ports, key, by, "the call of its script is over");
      return view(ports, key);
    },
  };
}

/** Follows from the attempt and the number of the call, so that a repeat meets what is there. */
function childId({ tenant, task, attempt }: Workload, call: number): string {
  return derivedId(tenant, task, "process", attempt, call);
}

/** @throws Rejection `STALE_FENCE`, `PROCESS_NOT_GRANTED` */
async function parentOf(
  { ledger }: Pick<ChildPorts, "ledger">,
  by: Workload,
): Promise<Pick<Parameters<typeof childSpec>[0], "parent"> & { readonly state: PlacedTask }> {
  const [{ state }, first] = await Promise.all([ledger.load(by), ledger.first(by)]);
  if (!isPlaced(state) || state.fence !== by.fence || state.cancel !== null)
    throw new Rejection("STALE_FENCE", "The attempt is over or is to end, or a newer one goes on.");
  const spec =
    first !== null && "spec" in first.body ? (JSON.parse(first.body.spec) as Partial<WorkloadSpec>) : {};
  const image = programOf(spec)?.processImage ?? null;
  if (image === null)
    throw new Rejection(
      "PROCESS_NOT_GRANTED",
      "The task's spec has no script or project with a process_image.",
    );
  const { priority = 0, ttl_seconds = null } = spec;
  return { state, parent: { image, priority, ttl_seconds } };
}

/** As a request of the parent's own submitter; all calls of a task count as those of one token. */
function admit({ admission }: ChildPorts, { tenant, task }: Workload, who: Who): void {
  const principal = { tenant, actor: who.actor, accountable: who.accountable, role: "operator" as const };
  const admitted = admission.admit({ principal, token: `task:${task}`, route: "process", cost: 1 });
  if (!admitted.ok) throw rateLimited(admitted);
}

async function cancelChild(ports: ChildPorts, key: TaskKey, by: Workload, reason: string): Promise<void> {
  const { state } = await ports.ledger.load(by);
  const person = "who" in state ? (state.who.accountable ?? state.who.actor) : null;
  const who = { actor: `task:${by.task}`, accountable: person, route: "script" };
  try {
    await cancelTask({ ...ports, pendingReason: () => null }, key, { who, reason, only: null });
  } catch (error) {
    if (!(error instanceof Rejection) || error.code !== "TASK_ENDED") throw error;
  }
}

/** Waits in the memory of this process, for nothing but an event that it sees anyway. */
function endWithParent(ports: ChildPorts, by: Workload, key: TaskKey): void {
  const over = new AbortController();
  const signal = AbortSignal.any([ports.stopping, over.signal]);
  const cancel = async () => {
    const goesOn = (state: TaskState) => isPlaced(state) && state.fence === by.fence;
    const parent = ports.ends.ended(by.task, signal, (state) => !goesOn(state)).then(() => "parent" as const);
    const child = ports.ends.ended(key.task, signal).then(() => "child" as const);
    const { state } = await ports.ledger.load(by);
    const first = goesOn(state) ? await Promise.race([parent, child]) : "parent";
    over.abort();
    if (first === "parent" && !ports.stopping.aborted)
      await cancelChild(ports, key, by, "its script is over");
  };
  cancel().catch((error) =>
    ports.log.warn({ error, ...key }, "a command of a script that is over goes on to its own limits"),
  );
}

async function view(ports: ChildPorts, key: TaskKey): Promise<ChildView> {
  const { task } = await locateInLedger({ ...ports, pendingReason: () => null }, key);
  const { id, status, reason, message, exit_code, signal } = task;
  const facts = { id, status, reason, message, exit_code, signal };
  if (!isTerminalStatus(status)) return { ...facts, stdout: null, dropped_bytes: 0 };
  const { value, dropped_bytes } = await readOutput(ports, key);
  return { ...facts, stdout: typeof value === "string" ? value : "", dropped_bytes };
}
