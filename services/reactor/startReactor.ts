import type { LiveTask } from "../domain/live/liveTasks.ts";
import { isPlaced } from "../domain/task/taskState.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Lease } from "../kernel/lease.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import type { TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { Log } from "../kernel/log.ts";
import type { NodeDirectory } from "../kernel/nodes/nodeDirectory.ts";
import { dueNow } from "./dueNow.ts";

export interface ReactorPorts {
  readonly ledger: TaskLedger;
  readonly live: LiveFold;
  readonly nodes: NodeDirectory;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Silence after which a node's attempts are lost: offline limit and grace together. */
  readonly lostAfterMs: number;
  readonly sweepMs: number;
}

/** Decisions under way at once in one sweep. */
const AT_ONCE = 64;

/**
 * Does what time demands: offers that expire, deadlines, attempts of lost nodes. It keeps nothing: each sweep
 * looks at the fold, and each decision is made on the task's newest state, so dying anywhere costs one sweep.
 * @returns how to stop
 */
export function startReactor(ports: ReactorPorts): () => Promise<void> {
  const { live, lease, nodes, clock } = ports;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    if (!lease.held() || !live.caughtUp()) return;
    const isLost = (node: string) => nodes.silentMs(node) > ports.lostAfterMs;
    const due = dueNow({ tasks: live.tasks, now: clock.now(), isLost });
    for (let from = 0; from < due.length && lease.held(); from += AT_ONCE) {
      await Promise.all(due.slice(from, from + AT_ONCE).map(({ task, why }) => act(task, why)));
    }
  }

  async function act(task: LiveTask, why: "due" | "lost"): Promise<void> {
    const { state, seq } = task;
    const base = { at: clock.now(), id: newId(clock.now()), jitter: ports.random() };
    const nodeLost = isPlaced(state) && nodes.silentMs(state.node) > ports.lostAfterMs;
    const command =
      why === "lost" && isPlaced(state)
        ? ({ ...base, kind: "lose", fence: state.fence } as const)
        : ({ ...base, kind: "due", nodeLost } as const);
    try {
      await ports.ledger.execute({ tenant: task.tenant, task: task.task }, command, { state, seq });
    } catch (error) {
      ports.log.warn(
        { error, task: task.task },
        "a follow-up could not be recorded; the next sweep tries again",
      );
    }
  }

  function next(): void {
    sweeping = sweep()
      .catch((error: unknown) => ports.log.error({ error }, "a sweep failed"))
      .finally(() => {
        if (!stopped) timer = setTimeout(next, ports.sweepMs);
      });
  }
  next();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await sweeping;
    clearTimeout(timer);
  };
}
