import { subjects } from "../../streams/subjects.ts";
import type { LiveTask } from "../domain/live/liveTasks.ts";
import { isRefusal } from "../domain/refusal.ts";
import { pickNode } from "../domain/scheduling/pickNode.ts";
import { type Placement, placementOf } from "../domain/scheduling/placement.ts";
import { isPlaced } from "../domain/task/taskState.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Lease } from "../kernel/lease.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import type { TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { Log } from "../kernel/log.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../kernel/nodes/nodeDirectory.ts";
import { nodeViews } from "../kernel/nodes/nodeViews.ts";
import { childSpan, type Tracer } from "../kernel/tracing/tracer.ts";
import { Reservations } from "./reservations.ts";

export interface SchedulerPorts {
  readonly nats: Nats;
  readonly ledger: TaskLedger;
  readonly live: LiveFold;
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

/**
 * Gives pending tasks to nodes: appends `scheduled`, then offers the attempt on the node's claim subject. Holds
 * the lease; a holder that was paused and wakes may still append, and the compare-and-set then lets one through.
 *
 * If it dies after the append and before the offer, the next holder offers every `scheduled` task again.
 * @returns how to stop
 */
export function startScheduler(ports: SchedulerPorts): () => Promise<void> {
  const { live, lease, nodes, log } = ports;
  const reservations = new Reservations();
  const placements = new WeakMap<LiveTask, { readonly placement: Placement; readonly key: string }>();
  const working = new Set<Promise<void>>();
  let queued = false;
  let stopped = false;

  const wake = () => {
    if (queued || stopped) return;
    queued = true;
    setImmediate(() => {
      queued = false;
      if (!stopped) pass();
    });
  };
  const track = (job: Promise<void>) => {
    const tracked = job.finally(() => working.delete(tracked));
    working.add(tracked);
  };

  function pass(): void {
    reservations.settle(live.tasks.position);
    if (!lease.held() || !live.caughtUp()) return;
    const views = nodeViews(nodes, (node) => live.tasks.countOn(node) + reservations.countOn(node));
    let free = views.reduce((sum, view) => sum + Math.max(0, view.slots - view.used), 0);
    const hopeless = new Set<string>();
    const now = ports.clock.now();
    for (const task of live.tasks.pending()) {
      if (free <= 0 || reservations.size >= ASSIGNING_MAX) break;
      if (reservations.has(task.task) || (task.state.not_before ?? 0) > now) continue;
      const { placement, key } = placed(task);
      // Tasks that ask for the same are refused for the same reason: one look is enough for this pass.
      if (hopeless.has(key)) continue;
      const picked = pickNode(placement, views);
      if (!("node" in picked)) {
        hopeless.add(key);
        continue;
      }
      free--;
      views.find((view) => view.node === picked.node)!.used++;
      reservations.take(task.task, picked.node);
      track(assign(task, picked.node));
    }
  }

  function placed(task: LiveTask) {
    const known = placements.get(task);
    if (known) return known;
    const { selector, tags, network, mounts, resources } = placementOf(task.spec);
    const placement = { selector, tags, network, mounts, resources };
    const made = { placement, key: JSON.stringify(placement) };
    placements.set(task, made);
    return made;
  }

  async function assign(task: LiveTask, node: string): Promise<void> {
    const now = ports.clock.now();
    const key = { tenant: task.tenant, task: task.task };
    const command = { kind: "schedule", at: now, id: newId(now), node } as const;
    const span = childSpan(ports.tracer, "schedule", {
      parent: task.state.traceparent,
      attributes: { "cazi.task": task.task, "cazi.node": node },
    });
    try {
      const seen = { state: task.state, seq: task.seq };
      const done = await ports.ledger.execute(key, command, seen, undefined, span.traceparent);
      if (isRefusal(done)) return reservations.release(task.task);
      reservations.appended(task.task, done.seq);
      if (isPlaced(done.state)) await offer(key, node, done.state.attempt, done.state.fence);
    } catch (error) {
      reservations.release(task.task);
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
      if (!isPlaced(state) || !lease.held()) continue;
      await offer({ tenant, task }, state.node, state.attempt, state.fence).catch((error: unknown) =>
        log.warn({ error, task }, "an offer could not be repeated; it expires and comes back"),
      );
    }
  }

  let offeredSinceHeld = false;
  const onChange = () => {
    if (!lease.held()) offeredSinceHeld = false;
    else if (!offeredSinceHeld && live.caughtUp()) {
      offeredSinceHeld = true;
      track(offerAgain());
    }
    wake();
  };
  live.onApplied(onChange);
  nodes.onChange(wake);
  lease.onChange(onChange);
  const timer = setInterval(onChange, IDLE_PASS_MS);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await Promise.all(working);
  };
}
