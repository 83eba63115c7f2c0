import type { AttemptRef, BeatReply, ObservedAttempt } from "../../schemas/messages/node.ts";
import type { AgentContext } from "./attempt/agentContext.ts";
import { adopt, reportAgain, reportLost, reportNever, runGranted } from "./attempt/attemptLife.ts";
import { AttemptRecord } from "./attempt/attemptRecord.ts";
import { AttemptTable } from "./attemptTable.ts";
import { diskTrouble } from "./diskTrouble.ts";
import { heldBeatThreshold, heldMax, removalsAtOnceMax, reportAgainMs } from "./limits.ts";
import { type Action, type FoundAttempt, plan } from "./plan.ts";
import type { ClaimOffer, Marker, RuntimeAttempt } from "./ports.ts";
import { Abandoned } from "./repeat.ts";

/** What is on the node besides what the agent is busy with; null when the runtime cannot be seen. */
interface Found {
  readonly containers: ReadonlyMap<string, RuntimeAttempt>;
  readonly markers: ReadonlyMap<string, Marker>;
  /** True when only scripts could be seen. */
  readonly partial: boolean;
}

export interface AgentOptions {
  readonly slots: number;
  /** Why nothing can start here now; null when it can. */
  readonly unavailable: () => string | null;
  /** A slot came free. */
  readonly onFree: () => void;
  /** Many ended attempts wait to be settled. */
  readonly onManyHeld: () => void;
  /** No marker could be reserved: the node should look at its disk. */
  readonly onDiskTrouble: () => void;
}

/**
 * The attempts of one node: takes offers, does what the plan says, and forgets what is settled. Every decision
 * is in `plan.ts` and in the grant; this only carries them out.
 */
export class Agent {
  readonly #context: AgentContext;
  readonly #options: AgentOptions;
  readonly table = new AttemptTable();
  /** True once the runtime was seen: before, an offer could be of an attempt that runs here already. */
  #looked = false;

  constructor(context: AgentContext, options: AgentOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** True while the node may ask for more work. */
  get open(): boolean {
    return this.#looked && this.#options.unavailable() === null && this.table.heldCount < heldMax;
  }

  /** An offer came. The same fence again is acknowledged and never a second start. */
  accept(offer: ClaimOffer): void {
    const known = this.table.get(offer.ref.fence);
    if (known !== undefined) {
      known.offer = offer;
      if (known.state !== "asking") known.ackOffer();
      return;
    }
    const why =
      this.#options.unavailable() ?? (this.table.busyCount >= this.#options.slots ? "no free slot" : null);
    if (why !== null) void this.#decline(offer, why);
    else this.#live(offer.ref, (record) => this.#runGranted(record), offer);
  }

  /** First half of a beat: what is here. The second half acts on the answer. */
  async look(): Promise<{
    observed: readonly ObservedAttempt[];
    act: (answer: BeatReply) => Promise<void>;
  }> {
    const found = await this.#find();
    // What ran without us is taken up before the question, so that the answer covers it.
    await this.#carryOut(null, found);
    if (found !== null && !this.#looked) {
      if (!found.partial) await this.#forgetFolders(found);
      this.#looked = true;
      this.#options.onFree();
    }
    return {
      observed: this.table.observed(),
      act: (answer) => this.#carryOut(answer, found),
    };
  }

  /** Asks every live attempt to end. */
  stopAll(by: "disconnect"): void {
    for (const record of this.table.busy()) record.stop.request(by);
  }

  /** Before any offer is taken: a folder that belongs to nothing here was left by a life that died. */
  async #forgetFolders(found: Found): Promise<void> {
    const { artifacts, log } = this.#context;
    const here = [...found.containers.values(), ...found.markers.values(), ...this.table.all()];
    await artifacts?.removeOthers(here.map((one) => one.ref)).catch((error) => {
      log.warn({ error }, "folders of artifacts are left that belong to nothing");
    });
  }

  async #find(): Promise<Found | null> {
    const { runtime, markers, log } = this.#context;
    try {
      const [containers, words] = await Promise.all([
        runtime.observe(),
        runtime.outlivesAgent ? markers.list() : [],
      ]);
      return {
        containers: new Map(containers.map((one) => [one.ref.fence, one])),
        markers: new Map(words.map((one) => [one.ref.fence, one])),
        partial: false,
      };
    } catch (error) {
      log.warn({ error }, "the runtime cannot be seen now");
      const scripts = await runtime.observeScripts?.();
      if (scripts === undefined) return null;
      const containers = new Map(scripts.map((one) => [one.ref.fence, one]));
      return { containers, markers: new Map(), partial: true };
    }
  }

  async #carryOut(answer: BeatReply | null, found: Found | null): Promise<void> {
    const now = this.#context.clock.monotonicMs();
    const actions = plan({
      answer,
      observed: found === null ? null : foundAttempts(found),
      partial: found?.partial ?? false,
      local: this.table.all().map((record) => record.toLocal(now)),
      reportAgainMs,
    });
    const removals = actions.filter((action) => action.do === "remove");
    for (const action of actions) if (action.do !== "remove") this.#do(action, found);
    const next = removals.values();
    const worker = async () => {
      for (const removal of next) await this.#remove(removal.ref);
    };
    await Promise.all(Array.from({ length: Math.min(removalsAtOnceMax, removals.length) }, worker));
    if (removals.length > 0) this.#options.onFree();
  }

  #do(action: Exclude<Action, { do: "remove" }>, found: Found | null): void {
    const { ref } = action;
    const record = this.table.get(ref.fence);
    const marker = found?.markers.get(ref.fence);
    const container = found?.containers.get(ref.fence);
    switch (action.do) {
      case "stop":
        this.#context.log.info({ ...ref, by: action.by }, "stopping an attempt");
        record?.stop.request(action.by);
        return;
      case "report_again":
        if (record !== undefined) void this.#quietly(record, () => reportAgain(this.#context, record));
        return;
      case "ask":
        this.#live(ref, (one) => this.#runGranted(one));
        return;
      case "report_cancelled":
        this.#live(ref, (one) => {
          one.stop.request("cancel");
          return reportNever(this.#context, one, {
            reason: "cancelled",
            message: "cancelled before anything of it was on the node",
            final: false,
            retry_after_ms: null,
          });
        });
        return;
      case "report_never":
        if (marker?.notStarted) this.#neverAgain(ref, marker.notStarted);
        return;
      case "report_lost":
        this.#live(ref, (one) =>
          reportLost(this.#context, one, { terms: marker?.terms ?? null, created: container !== undefined }),
        );
        return;
      case "adopt":
        if (container === undefined) return;
        this.#context.log.info({ ...ref, state: container.state }, "an attempt is found again");
        this.#live(ref, (one) =>
          adopt(this.#context, one, { container, terms: container.terms ?? marker?.terms ?? null }),
        );
        return;
    }
  }

  #neverAgain(ref: AttemptRef, notStarted: NonNullable<Marker["notStarted"]>): void {
    this.#live(ref, (one) => reportNever(this.#context, one, notStarted));
  }

  /** Begins a life of an attempt; its end frees the slot. */
  #live(ref: AttemptRef, life: (record: AttemptRecord) => Promise<unknown>, offer?: ClaimOffer): void {
    if (this.table.get(ref.fence) !== undefined) return;
    const record = new AttemptRecord(ref);
    record.offer = offer ?? null;
    this.table.add(record);
    void this.#quietly(record, async () => {
      await life(record);
      if (record.state === "held") this.table.hold(record);
      else this.table.delete(ref.fence);
    });
  }

  /** A life that failed for a reason nobody foresaw is forgotten: the next beat finds what is left of it. */
  async #quietly(record: AttemptRecord, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Abandoned) return;
      this.#context.log.error({ ...record.ref, error }, "an attempt's life broke off; it is looked at anew");
      this.table.delete(record.ref.fence);
    }
    if (this.table.heldCount >= heldBeatThreshold) this.#options.onManyHeld();
    this.#options.onFree();
  }

  async #runGranted(record: AttemptRecord): Promise<void> {
    const { runtime, markers } = this.#context;
    const { ref } = record;
    const trouble = await this.#diskTroubleFor(ref);
    if (trouble !== null) {
      this.#options.onDiskTrouble();
      if (record.offer !== null) await this.#decline(record.offer, trouble);
      return;
    }
    if ((await runGranted(this.#context, record)) === "held") return;
    // Never granted, so never started: what an earlier life may have created can go.
    if (runtime.outlivesAgent) await markers.remove(ref);
    await runtime.remove(ref);
  }

  /** Before the grant, for what is granted can only be run, or said never to run, with a marker. */
  async #diskTroubleFor(ref: AttemptRef): Promise<string | null> {
    const { runtime, markers, log } = this.#context;
    if (!runtime.outlivesAgent) return null;
    try {
      await markers.reserve(ref);
      return null;
    } catch (error) {
      log.warn({ ...ref, error }, "there is no room for the marker of an attempt");
      return diskTrouble(error);
    }
  }

  async #decline(offer: ClaimOffer, why: string): Promise<void> {
    const { control, node, log } = this.#context;
    try {
      const reply = await control.grant({ ...offer.ref, node, decline: why });
      if (reply.answer !== "later") offer.ack();
    } catch (error) {
      // Unacknowledged, it is offered again.
      log.debug({ ...offer.ref, error }, "nobody took the declined offer back");
    }
  }

  async #remove(ref: AttemptRef): Promise<void> {
    const { runtime, markers, log } = this.#context;
    try {
      // The marker first: a container without one tells its own end, a marker without one reads as lost.
      if (runtime.outlivesAgent) await markers.remove(ref);
      await runtime.remove(ref);
      this.table.delete(ref.fence);
    } catch (error) {
      log.warn({ ...ref, error }, "a settled attempt could not be removed; the next beat tries again");
    }
  }
}

function foundAttempts(found: Found): FoundAttempt[] {
  const fences = new Set([...found.containers.keys(), ...found.markers.keys()]);
  return [...fences].map((fence) => {
    const container = found.containers.get(fence);
    const marker = found.markers.get(fence);
    return {
      ref: (container ?? marker)!.ref,
      container: container?.state ?? "none",
      marker: marker === undefined ? "none" : marker.notStarted === null ? "started" : "never",
    };
  });
}
