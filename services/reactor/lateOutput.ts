import { DeliverPolicy, type JsMsg } from "nats";
import { logHeaders } from "../../schemas/messages/node.ts";
import { filters, isName, parseLogSubject } from "../../streams/subjects.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import type { TaskKey, TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";

export interface LatePorts {
  readonly nats: Pick<Nats, "js" | "jsm">;
  readonly ledger: Pick<TaskLedger, "load">;
  readonly live: Pick<LiveFold, "tasks">;
  /** Asked before each deletion; throws when this process may no longer act. */
  readonly mayGoOn: () => void;
}

const FETCHED = 1_000;
const FETCH_MS = 2_000;

/**
 * Deletes output that a node stored after its task was erased: an agent that slept sends what it had. Looks at the headers
 * of what came to LOGS since the last look, and asks the ledger about tasks that are not live. It may die anywhere:
 * the next holder of the lease looks at all of LOGS once.
 */
export class LateOutput {
  readonly #ports: LatePorts;
  #after = 0;

  constructor(ports: LatePorts) {
    this.#ports = ports;
  }

  /** One bounded step, so that erasing goes on between. @returns how many were deleted, and whether there is more to look at */
  async look(): Promise<{ readonly deleted: number; readonly more: boolean }> {
    const { nats, mayGoOn } = this.#ports;
    const { last_seq } = (await nats.jsm.streams.info("LOGS")).state;
    // The stream was made anew.
    if (last_seq < this.#after) this.#after = 0;
    if (last_seq === this.#after) return { deleted: 0, more: false };
    const part = await this.#read();
    const late = await this.#late(part);
    for (const seq of late) {
      mayGoOn();
      await nats.jsm.streams.deleteMessage("LOGS", seq, false);
    }
    this.#after = part.at(-1)?.seq ?? last_seq;
    return { deleted: late.length, more: this.#after < last_seq };
  }

  async #read(): Promise<readonly JsMsg[]> {
    const consumer = await this.#ports.nats.js.consumers.get("LOGS", {
      filterSubjects: filters.logs,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#after + 1,
      headers_only: true,
    });
    try {
      const { num_pending } = await consumer.info();
      const part: JsMsg[] = [];
      if (num_pending === 0) return part;
      const max_messages = Math.min(FETCHED, num_pending);
      for await (const message of await consumer.fetch({ max_messages, expires: FETCH_MS }))
        part.push(message);
      if (part.length === 0) throw new Error("LOGS gave nothing of what it holds");
      return part;
    } finally {
      await consumer.delete().catch(() => undefined);
    }
  }

  /** Sequences of those whose task is erased. */
  async #late(part: readonly JsMsg[]): Promise<readonly number[]> {
    const { live, ledger } = this.#ports;
    const erased = new Map<string, boolean>();
    const late: number[] = [];
    for (const message of part) {
      const key = taskOf(message);
      if (key === null || live.tasks.get(key.task) !== undefined) continue;
      const name = `${key.tenant} ${key.task}`;
      if (!erased.has(name)) erased.set(name, (await ledger.load(key)).state.status === "erased");
      if (erased.get(name)) late.push(message.seq);
    }
    return late;
  }
}

/** Null for a node of a version that did not say whose task it is. */
function taskOf(message: JsMsg): TaskKey | null {
  const tenant = message.headers?.get(logHeaders.tenant) ?? "";
  const task = parseLogSubject(message.subject)?.task;
  return task !== undefined && isName(tenant) && isName(task) ? { tenant, task } : null;
}
