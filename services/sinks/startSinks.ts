import type { RememberedTask } from "../domain/live/endedTasks.ts";
import { targetOf } from "./attempt.ts";
import { loadingMax, newsMs, perTargetMax, sweepMs, trackedMax, tryingMax } from "./limits.ts";
import type { SinksPorts } from "./ports.ts";
import { recordOutcome } from "./recordOutcome.ts";
import { afterTryCounted, isDue, newJob, type SinkJob, writeLater } from "./sinkJob.ts";
import { sinksOfTask } from "./sinksOfTask.ts";
import { takeResends } from "./takeResends.ts";
import { TargetQueue } from "./targetQueue.ts";
import { trySink } from "./trySink.ts";

/**
 * Carries the output of tasks that are over to where their specs say. It follows the fold of such tasks and stores
 * no more than how often it tried: what is settled is in the ledger, what is not is tried, and a process that dies anywhere leaves the next one
 * to try it again. What becomes of a sink never touches the task's end.
 *
 * INV-SINK-ONCE: a sink is settled once. A try may happen twice; each kind makes a repeat harmless: a webhook by its
 * id, a file and an object by their name, a task by its id.
 * @returns how to stop: what is under way is finished first
 */
export function startSinks(ports: SinksPorts): () => Promise<void> {
  const runner = new Runner(ports);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let hasNews = false;
  const next = () => {
    clearTimeout(timer);
    if (stopped) return;
    hasNews = false;
    runner.sweep();
    timer = setTimeout(next, sweepMs);
  };
  ports.live.onApplied(() => {
    if (stopped || hasNews || ports.live.ended.unsettledCount === 0) return;
    hasNews = true;
    clearTimeout(timer);
    timer = setTimeout(next, newsMs);
  });
  next();
  const stopResends = takeResends({ ...ports, queue: runner.queue });
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await stopResends();
    await runner.queue.drain();
  };
}

/** A task with sinks that are not settled; null while its spec is being read. */
interface Tracked {
  jobs: readonly SinkJob[] | null;
}

class Runner {
  readonly queue = new TargetQueue({ perTargetMax, max: tryingMax });
  readonly #ports: SinksPorts;
  readonly #tracked = new Map<string, Tracked>();
  #loading = 0;

  constructor(ports: SinksPorts) {
    this.#ports = ports;
  }

  sweep(): void {
    const { live, lease, clock } = this.#ports;
    if (!lease.held() || !live.caughtUp()) {
      // Who holds the lease then begins anew from the ledger, and so do we when we have it again.
      this.#tracked.clear();
      return;
    }
    let looked = 0;
    for (const one of live.ended.unsettled()) {
      if (++looked > trackedMax) break;
      if (!this.#tracked.has(one.task)) this.#track(one);
    }
    const now = clock.now();
    for (const [task, { jobs }] of this.#tracked) {
      const open = live.ended.get(task);
      if (open === undefined || open.settledSinks.length >= open.sinks) this.#tracked.delete(task);
      else for (const job of jobs ?? []) if (isDue(job, now)) this.#queue(job);
    }
  }

  #track(one: RememberedTask): void {
    if (this.#loading >= loadingMax) return;
    this.#loading++;
    const tracked: Tracked = { jobs: null };
    this.#tracked.set(one.task, tracked);
    sinksOfTask(this.#ports.ledger, one)
      .then(
        (sinks) => {
          tracked.jobs = sinks
            .filter(({ id, state }) => !state.settled_sinks.includes(id))
            .map((of) => newJob(of, one.endedAt));
          for (const job of tracked.jobs) this.#queue(job);
        },
        (error: unknown) => {
          this.#tracked.delete(one.task);
          this.#ports.log.warn({ error, task: one.task }, "a task's sinks could not be read; trying again");
        },
      )
      .finally(() => {
        this.#loading--;
      });
  }

  #queue(job: SinkJob): void {
    const { phase } = job;
    job.phase = { is: "trying" };
    this.queue.add(targetOf(job.of), async () => {
      // Nothing may begin when another process may have begun it.
      if (!this.#ports.lease.held()) return;
      job.phase = phase.is === "told" ? phase : await this.#try(job);
      if (job.phase.is === "told") job.phase = await this.#settle(job, job.phase);
    });
  }

  async #try(job: SinkJob): Promise<SinkJob["phase"]> {
    const { log, metrics } = this.#ports;
    const outcome = await trySink(this.#ports, job.of);
    const phase = await afterTryCounted(this.#ports, job, outcome);
    const isHeld = outcome.result === "failed" && outcome.held;
    metrics.add("cazi_sink_tries_total", {
      type: job.of.sink.type,
      outcome: isHeld ? "held" : outcome.result,
    });
    if (outcome.result === "failed") {
      const { task, id: sink } = job.of;
      const { triesInAll: tries, holds } = job;
      log.info({ task, sink, tries, holds, why: outcome.message }, "a sink was tried in vain");
    }
    return phase;
  }

  async #settle(job: SinkJob, told: Extract<SinkJob["phase"], { is: "told" }>): Promise<SinkJob["phase"]> {
    const { clock, lease, log } = this.#ports;
    const { outcome } = told;
    if (!lease.held()) return writeLater(outcome, clock.now());
    try {
      await recordOutcome(this.#ports, job.of, outcome, job.triesInAll);
      return { is: "settled" };
    } catch (error) {
      log.warn({ error, task: job.of.task, sink: job.of.id }, "what became of a sink is not written yet");
      return writeLater(outcome, clock.now());
    }
  }
}
