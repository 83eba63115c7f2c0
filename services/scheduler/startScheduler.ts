import { subjects } from "../../streams/subjects.ts";
import type { LiveTask } from "../domain/live/liveTasks.ts";
import { isRefusal } from "../domain/refusal.ts";
import { NodeTable } from "../domain/scheduling/nodeTable.ts";
import { PassMemory } from "../domain/scheduling/passMemory.ts";
import type { SchedulingIndex } from "../domain/scheduling/schedulingIndex.ts";
import { schedulingPass } from "../domain/scheduling/schedulingPass.ts";
import { isPlaced } from "../domain/task/taskState.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Lease } from "../kernel/lease.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import type { LedgerFeed } from "../kernel/ledger/storedEvent.ts";
import type { TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { Log } from "../kernel/log.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../kernel/nodes/nodeDirectory.ts";
import { nodeViews } from "../kernel/nodes/nodeViews.ts";
import { childSpan, type Tracer } from "../kernel/tracing/tracer.ts";
import { watchTenure } from "./tenure.ts";

export interface SchedulerPorts {
  readonly nats: Nats;
  readonly ledger: TaskLedger;
  readonly feed: Pick<LedgerFeed, "lastSeq">;
  readonly live: LiveFold;
  readonly index: SchedulingIndex;
  readonly nodes: NodeDirectory;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer: Tracer;
}

/** Appends under way at once. */
const ASSIGNING_MAX = 256;
/** Waiting tasks and returning nodes are looked at this often even when nothing happens. */
const IDLE_PASS_MS = 500;
/** A pass over very much that waits is followed by this many times its own duration without one. */
const REST_TIMES = 4;

/**
 * Gives pending tasks to nodes: appends `scheduled`, then offers the attempt on the node's claim subject. Which task
 * goes where is {@link schedulingPass}'s to say.
 *
 * One holder of the lease acts, and only once its fold has all that was in the ledger when it took over, so that
 * what its predecessor gave away is counted. A holder that was paused and wakes may still append what it was about
 * to: the compare-and-set lets one writer through, so no attempt is given twice; and a node takes an offer beyond
 * its slots only when one is free, or it comes back.
 *
 * If it dies after the append and before the offer, the next holder offers every `scheduled` task again.
 * @returns how to stop
 */
export function startScheduler(ports: SchedulerPorts): () => Promise<void> {
  const { live, index, nodes, log, clock } = ports;
  const table = new NodeTable();
  const memory = new PassMemory();
  const working = new Set<Promise<void>>();
  let queued = false;
  let stopped = false;
  let restUntil = 0;

  const wake = () => {
    if (queued || stopped) return;
    queued = true;
    const run = () => {
      queued = false;
      if (!stopped) pass();
    };
    const restMs = restUntil - clock.monotonicMs();
    if (restMs > 0) setTimeout(run, restMs);
    else setImmediate(run);
  };
  const track = (job: Promise<void>) => {
    const tracked = job.finally(() => working.delete(tracked));
    working.add(tracked);
  };

  const tenure = watchTenure({
    ...ports,
    onBegun: () => {
      track(offerAgain());
      wake();
    },
  });

  function pass(): void {
    if (!tenure.mayAct() || index.reserved >= ASSIGNING_MAX) return;
    const began = clock.monotonicMs();
    const now = clock.now();
    const { placements, held } = schedulingPass({
      now,
      nodes: table.update(nodeViews(nodes)),
      isOnline: nodes.isOnline,
      index,
      memory,
      placementsMax: ASSIGNING_MAX - index.reserved,
    });
    index.held = held;
    for (const { task, node } of placements) {
      index.reserve(task, node, now);
      track(assign(live.tasks.get(task)!, node));
    }
    const endedAt = clock.monotonicMs();
    restUntil = endedAt + REST_TIMES * (endedAt - began);
  }

  async function assign(task: LiveTask, node: string): Promise<void> {
    const now = clock.now();
    const key = { tenant: task.tenant, task: task.task };
    const command = { kind: "schedule", at: now, id: newId(now), node } as const;
    const span = childSpan(ports.tracer, "schedule", {
      parent: task.state.traceparent,
      attributes: { "cazi.task": task.task, "cazi.node": node },
    });
    try {
      const seen = { state: task.state, seq: task.seq };
      // Only on the state that the pass saw: of one that has moved on meanwhile, room and order are another matter.
      const done = await ports.ledger.execute(key, command, seen, task.seq, span.traceparent);
      if (isRefusal(done)) index.release(task.task);
      else if (isPlaced(done.state)) await offer(key, node, done.state.attempt, done.state.fence);
    } catch (error) {
      index.release(task.task);
      log.warn({ error, task: task.task, node }, "an attempt could not be offered; it is tried again");
    } finally {
      span.end();
      wake();
    }
  }

  /** The message id is the fence, so offering again is offering once. */
  async function offer(key: { tenant: string; task: string }, node: string, attempt: number, fence: string) {
    const claim = JSON.stringify({ tenant: key.tenant, task: key.task, attempt, fence });
    await ports.nats.js.publish(subjects.claim({ node, task: key.task }), claim, { msgID: fence });
  }

  async function offerAgain(): Promise<void> {
    const placedTasks = [...live.tasks.all()].filter((one) => one.state.status === "scheduled");
    for (const { tenant, task, state } of placedTasks) {
      if (!isPlaced(state) || !tenure.mayAct()) continue;
      await offer({ tenant, task }, state.node, state.attempt, state.fence).catch((error: unknown) =>
        log.warn({ error, task }, "an offer could not be repeated; it expires and comes back"),
      );
    }
  }

  live.onApplied(wake);
  nodes.onChange(wake);
  const timer = setInterval(wake, IDLE_PASS_MS);
  return async () => {
    stopped = true;
    clearInterval(timer);
    tenure.stop();
    await Promise.all(working);
  };
}
