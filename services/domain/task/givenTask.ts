/** Words for tests of the task aggregate: a history, a command, and what follows. */
import type { PullFacts, Report } from "../../../schemas/messages/node.ts";
import { isRefusal } from "../refusal.ts";
import { decide } from "./decide.ts";
import { evolve } from "./evolve.ts";
import type { TaskCommand, TaskPolicy } from "./taskCommand.ts";
import type { TaskEventBody, TaskEventType } from "./taskEvent.ts";
import { absentTask, type TaskLimits, type TaskState, type Who } from "./taskState.ts";

export const START = 1_700_000_000_000;
export const ada: Who = { actor: "user:ada", accountable: null, route: "rest" };
export const policy: TaskPolicy = {
  claimLimitMs: 30_000,
  startLimitMs: 600_000,
  stopGraceMs: 10_000,
  dueMarginMs: 30_000,
};

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A command without the parts that every test would repeat. */
export type Wish = Without<TaskCommand, "at" | "id">;

export function submit(limits: Partial<TaskLimits> = {}): Wish {
  return {
    kind: "submit",
    spec: "{}",
    spec_digest: "sha256:0",
    request_hash: null,
    source: "submit",
    who: ada,
    limits: { timeout_ms: 60_000, max_retries: 0, ttl_ms: null, start_within_ms: null, sinks: 0, ...limits },
    image: null,
    traceparent: null,
    tracestate: null,
    blocked: null,
  };
}

/** A task as its commands make it; each command comes a second after the one before. */
export class GivenTask {
  state: TaskState = absentTask;
  at = START;
  readonly events: TaskEventBody[] = [];
  #commands = 0;

  /** Applies `wish`; returns the types of the events, or the refusal's code. */
  when(wish: Wish, afterMs = 1_000): readonly TaskEventType[] | string {
    this.at += afterMs;
    const command = { ...wish, at: this.at, id: `c${++this.#commands}` } as TaskCommand;
    const decision = decide(this.state, command, policy);
    if (isRefusal(decision)) return decision.code;
    for (const body of decision) this.state = evolve(this.state, body, this.at);
    this.events.push(...decision);
    return decision.map((body) => body.type);
  }

  /** The fence of the attempt under way, or of the last one. */
  get fence(): string {
    const last = this.events.findLast((body) => body.type === "scheduled");
    return last?.type === "scheduled" ? last.fence : "none";
  }

  get attempt(): number {
    return "attempt" in this.state ? this.state.attempt : 0;
  }

  scheduled(limits: Partial<TaskLimits> = {}): this {
    this.when(submit(limits));
    this.when({ kind: "schedule", node: "n1" });
    return this;
  }

  claimed(limits: Partial<TaskLimits> = {}): this {
    this.scheduled(limits);
    this.when({ kind: "grant", node: "n1", fence: this.fence, attempt: this.attempt });
    return this;
  }

  running(limits: Partial<TaskLimits> = {}): this {
    this.claimed(limits);
    this.when(this.report({ started_at: START + 5_000 }));
    return this;
  }

  /** A report of a pull under way: news number `notice`, with `facts`. */
  pulling(notice: number, facts: Partial<PullFacts> = {}): Wish {
    const pull: PullFacts = {
      ref: "alpine:3.20",
      notice,
      tries: 1,
      started_at: START + 4_000,
      layers_done: 0,
      layers_total: 0,
      bytes_done: 0,
      bytes_total: 0,
      last_error: null,
      retry_at: null,
      finished_at: null,
      ...facts,
    };
    return this.report({ pull });
  }

  report(facts: Partial<Report>): Wish {
    const report: Report = {
      tenant: "default",
      task: "t1",
      attempt: this.attempt,
      fence: this.fence,
      node: "n1",
      revision: 1,
      image: null,
      pull: null,
      not_started: null,
      started_at: null,
      ended: null,
      logs: { stdout: { stored: 0, dropped: 0 }, stderr: { stored: 0, dropped: 0 } },
      ...facts,
    };
    return { kind: "report", report, jitter: 0.5 };
  }

  /** A report of an attempt that never started. */
  unstarted(
    reason: NonNullable<Report["not_started"]>["reason"],
    message: string,
    facts: Partial<Report & NonNullable<Report["not_started"]>> = {},
  ): Wish {
    const { final = false, retry_after_ms = null, ...more } = facts;
    return this.report({ not_started: { reason, message, final, retry_after_ms }, ...more });
  }

  /** A report of an attempt that started and ended so. */
  exit(ended: Partial<NonNullable<Report["ended"]>> = {}): Wish {
    const whole = {
      exit_code: 0,
      signal: null,
      oom_killed: false,
      stopped_by: null,
      failure: null,
      finished_at: START + 9_000,
      message: null,
      ...ended,
    };
    return this.report({ started_at: START + 5_000, ended: whole });
  }
}
