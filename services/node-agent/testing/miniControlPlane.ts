import type {
  AttemptRef,
  BeatReply,
  GrantReply,
  GrantSecrets,
  Report,
} from "../../../schemas/messages/node.ts";
import { beat, grantRequest, logHeaders, logOffsetRequest, report } from "../../../schemas/messages/node.ts";
import { transitionsConsumer } from "../../../streams/consumers.ts";
import { filters, subjects } from "../../../streams/subjects.ts";
import { isNoMessage } from "../../kernel/ledger/appendEvent.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";

interface Offered {
  readonly ref: AttemptRef;
  readonly spec: string;
  grantedAtSeq: number | null;
  cancel: boolean;
  over: boolean;
  reports: Report[];
  settledSeen: boolean;
}

/**
 * The least that a node agent needs of a control plane, on real NATS: offers attempts, grants each once or again
 * to the same fence, takes reports, and answers beats from what it knows. It keeps no history.
 */
export class MiniControlPlane {
  readonly #nats: Nats;
  readonly #attempts = new Map<string, Offered>();
  readonly #node: string;
  #seq = 1;
  #waiters: (() => void)[] = [];
  /** While true, every grant is answered with "later". */
  holdGrants = false;
  startWithinMs = 60_000;
  stopGraceMs = 1_000;
  /** Where files are put; its token goes into each grant. */
  artifactAccess: { readonly url: string; readonly token: string } | null = null;
  modelUrl: string | null = null;
  /** Of connections; goes into each grant. */
  secrets: GrantSecrets | null = null;
  grantRequests = 0;

  constructor(nats: Nats, node: string) {
    this.#nats = nats;
    this.#node = node;
  }

  async start(): Promise<void> {
    const { connection, jsm, js } = this.#nats;
    connection.subscribe(filters.grants, {
      callback: (_, message) =>
        message.respond(JSON.stringify(this.#grant(grantRequest.parse(message.json())))),
    });
    connection.subscribe(filters.beats, {
      callback: (_, message) => message.respond(JSON.stringify(this.#beat(beat.parse(message.json())))),
    });
    const nodes = await js.views.kv("nodes", { bindOnly: true });
    connection.subscribe(filters.registrations, {
      callback: async (_, message) => {
        await nodes.put(this.#node, message.data);
        message.respond('{"answer":"taken"}');
      },
    });
    connection.subscribe(filters.logOffsets, {
      callback: async (_, message) => {
        const subject = subjects.log(logOffsetRequest.parse(message.json()));
        const last = await jsm.streams.getMessage("LOGS", { last_by_subj: subject }).catch((error) => {
          if (isNoMessage(error)) return null;
          throw error;
        });
        const stored = last === null ? 0 : Number(last.header.get(logHeaders.offset)) + last.data.length;
        message.respond(JSON.stringify({ stored }));
      },
    });
    await jsm.streams.info(transitionsConsumer.stream);
    const consumer = await js.consumers.get(transitionsConsumer.stream, transitionsConsumer.durable);
    await consumer.consume({
      callback: (message) => {
        this.#report(report.parse(message.json()));
        message.ack();
      },
    });
  }

  /** Offers one attempt. @returns its ref */
  async offer(task: string, spec: object, attempt = 1): Promise<AttemptRef> {
    const ref = { tenant: "acme", task, attempt, fence: `${attempt}-${task}` };
    this.#attempts.set(ref.fence, {
      ref,
      spec: JSON.stringify(spec),
      grantedAtSeq: null,
      cancel: false,
      over: false,
      reports: [],
      settledSeen: false,
    });
    await this.offerAgain(ref);
    return ref;
  }

  async offerAgain(ref: AttemptRef): Promise<void> {
    await this.#nats.js.publish(subjects.claim({ node: this.#node, task: ref.task }), JSON.stringify(ref));
  }

  cancel(ref: AttemptRef): void {
    this.#get(ref).cancel = true;
    this.#nats.connection.publish(subjects.control({ node: this.#node }));
  }

  /** The ledger forgets that this attempt should be there, without settling it. */
  forget(ref: AttemptRef): void {
    this.#seq++;
    this.#attempts.delete(ref.fence);
  }

  reports(ref: AttemptRef): readonly Report[] {
    return this.#get(ref).reports;
  }

  /** Waits for the report that ends the attempt. */
  async final(ref: AttemptRef, boundMs = 30_000): Promise<Report> {
    await this.until(() => this.#get(ref).over, boundMs, `the end of ${ref.task}`);
    return this.#get(ref).reports.at(-1)!;
  }

  isOver(ref: AttemptRef): boolean {
    return this.#get(ref).over;
  }

  overCount(): number {
    let count = 0;
    for (const one of this.#attempts.values()) if (one.over) count++;
    return count;
  }

  async until(condition: () => boolean, boundMs: number, what: string): Promise<void> {
    const deadline = performance.now() + boundMs;
    while (!condition()) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`waited ${boundMs} ms in vain for ${what}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, 50));
        this.#waiters.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #get(ref: AttemptRef): Offered {
    return this.#attempts.get(ref.fence)!;
  }

  #grant(request: { fence: string; decline: string | null }): GrantReply {
    this.grantRequests++;
    const one = this.#attempts.get(request.fence);
    if (this.holdGrants) return { answer: "later", reason: "held by the test" };
    if (one === undefined || one.over || request.decline !== null) return { answer: "no", reason: "over" };
    one.grantedAtSeq ??= ++this.#seq;
    return {
      answer: "yes",
      spec: one.spec,
      image: null,
      pull: null,
      traceparent: null,
      tracestate: null,
      workload_token: this.artifactAccess?.token ?? null,
      artifact_url: this.artifactAccess?.url ?? null,
      stdin_url: null,
      model_url: this.modelUrl,
      secrets: this.secrets,
      start_within_ms: this.startWithinMs,
      stop_grace_ms: this.stopGraceMs,
      as_of: { epoch: "e1", seq: one.grantedAtSeq },
    };
  }

  #beat(request: { observed: { fence: string }[] }): BeatReply {
    const desired: BeatReply["desired"] = [];
    for (const one of this.#attempts.values()) {
      if (one.grantedAtSeq !== null && !one.over) desired.push({ ...one.ref, cancel: one.cancel });
    }
    const settled = request.observed
      .map((one) => one.fence)
      .filter((fence) => this.#attempts.get(fence)?.over);
    return { as_of: { epoch: "e1", seq: this.#seq }, desired, settled };
  }

  #report(fact: Report): void {
    const one = this.#attempts.get(fact.fence);
    if (one === undefined) return;
    one.reports.push(fact);
    if (fact.ended !== null || fact.not_started !== null) one.over = true;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }
}
