import { setTimeout as pause } from "node:timers/promises";
import { DeliverPolicy, type JsMsg } from "nats";
import { logHeaders } from "../../schemas/messages/node.ts";
import { ledgerStream } from "../../streams/streams.ts";
import { filters, isName, parseLedgerSubject, parseLogSubject } from "../../streams/subjects.ts";
import { isNoMessage } from "../kernel/ledger/appendEvent.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import type { LedgerFeed } from "../kernel/ledger/storedEvent.ts";
import type { TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";

export interface LatePorts {
  readonly nats: Pick<Nats, "js" | "jsm">;
  readonly shard: number;
  readonly ledger: Pick<TaskLedger, "load">;
  readonly live: Pick<LiveFold, "tasks">;
  readonly feed: Pick<LedgerFeed, "lastSeq">;
  /** Asked before each deletion; throws when this process may no longer act. */
  readonly mayGoOn: () => void;
}

const FETCHED = 1_000;
const FETCH_MS = 2_000;
/**
 * Tasks of nodes of a version that did not say whose they are, looked for in one step: 2.9.10 takes a quarter of a second
 * for each among 100,000 subjects, and takes no append meanwhile; 2.15.1 takes 2 ms.
 */
const UNNAMED_MAX = 10;
/** The fold is behind the ledger by milliseconds; one that is longer behind is not waited for. */
const FOLD_WAITS = 20;
const FOLD_WAIT_MS = 100;

/**
 * Deletes output that a node stored after its task was erased: an agent that slept sends what it had. Looks at the headers
 * of what came to LOGS since the last look. Of most tasks the fold knows; the ledger is asked about those that ended too long
 * ago. What comes after a look is for the next one, however late. It may die anywhere: the next holder of the lease looks at
 * all of LOGS once.
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
    const { late, upTo } = await this.#late(part);
    for (const seq of late) {
      mayGoOn();
      await nats.jsm.streams.deleteMessage("LOGS", seq, false);
    }
    this.#after = upTo ?? last_seq;
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

  /** Sequences of those whose task is erased, and of the last that was looked at; null where there was none. */
  async #late(part: readonly JsMsg[]) {
    const { live } = this.#ports;
    const erased = new Map<string, boolean>();
    const late: number[] = [];
    const foldKnows = await this.#foldPassed(part);
    let unnamed = 0;
    let upTo: number | null = null;
    for (const message of part) {
      const of = writerOf(message);
      if (of !== null && live.tasks.get(of.task) === undefined) {
        const name = `${of.tenant} ${of.task}`;
        const known = foldKnows ? live.tasks.isErased(of.task) : undefined;
        if (known !== undefined) erased.set(name, known);
        if (!erased.has(name)) {
          if (of.tenant === null && ++unnamed > UNNAMED_MAX) break;
          erased.set(name, await this.#isErased(of));
        }
        if (erased.get(name)) late.push(message.seq);
      }
      upTo = message.seq;
    }
    return { late, upTo };
  }

  /**
   * Whether the fold has all that was in the ledger when `part` had been stored. A task that is not erased in it was not
   * then, and its erasure, if any is to come, takes that output with it.
   */
  async #foldPassed(part: readonly JsMsg[]): Promise<boolean> {
    if (part.length === 0) return false;
    const { live, feed } = this.#ports;
    const last = await feed.lastSeq();
    for (let waits = 0; live.tasks.position < last && waits < FOLD_WAITS; waits++) await pause(FOLD_WAIT_MS);
    return live.tasks.position >= last;
  }

  async #isErased({ tenant, task }: Writer): Promise<boolean> {
    const owner = tenant ?? (await this.#tenantOf(task));
    if (owner === null) return false;
    return (await this.#ports.ledger.load({ tenant: owner, task })).state.status === "erased";
  }

  /** Null for a task that nobody has heard of. */
  async #tenantOf(task: string): Promise<string | null> {
    const { nats, shard } = this.#ports;
    try {
      const last_by_subj = filters.ledgerOfTask({ task });
      const { subject } = await nats.jsm.streams.getMessage(ledgerStream(shard), { last_by_subj });
      return parseLedgerSubject(subject)?.tenant ?? null;
    } catch (error) {
      if (isNoMessage(error)) return null;
      throw error;
    }
  }
}

/** The task that output is of; the tenant is null for a node of a version that did not say it. */
interface Writer {
  readonly tenant: string | null;
  readonly task: string;
}

function writerOf(message: JsMsg): Writer | null {
  const tenant = message.headers?.get(logHeaders.tenant) ?? "";
  const task = parseLogSubject(message.subject)?.task;
  if (task === undefined || !isName(task)) return null;
  return { tenant: isName(tenant) ? tenant : null, task };
}
