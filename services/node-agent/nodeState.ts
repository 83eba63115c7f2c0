/** Whether this node takes work, kept current by looking at its engine and its disk. */
import type { NodeRegistration } from "../../schemas/messages/node.ts";
import type { AgentLife } from "./agentLife.ts";
import { diskTrouble } from "./diskTrouble.ts";
import { engineProbeMs } from "./limits.ts";
import type { AgentLog, Markers, NodeDirectory, Runtime, RuntimeFacts } from "./ports.ts";
import { Abandoned, backoffMs, sleep } from "./repeat.ts";

/** What a node says of itself that does not change while it lives. */
export type NodeProfile = Pick<
  NodeRegistration,
  | "node"
  | "labels"
  | "tags"
  | "slots"
  | "offered_cpus"
  | "offered_memory_bytes"
  | "mount_allowlist"
  | "networks"
>;

export interface NodeStateOptions {
  readonly profile: NodeProfile;
  readonly runtime: Runtime;
  readonly markers: Pick<Markers, "probe">;
  readonly directory: NodeDirectory;
  readonly now: () => number;
  readonly life: AgentLife;
  readonly log: AgentLog;
  /** Called when the engine, or room on the disk, came or went. */
  readonly onChange: () => void;
}

export class NodeState {
  readonly #options: NodeStateOptions;
  #facts: RuntimeFacts | null = null;
  /** Why no marker could be written: without one nothing may start, nor be said never to start. */
  #diskTrouble: string | null = null;
  #registered = false;
  /** Of the newest registration of this agent; null before the first, and where it is refused. */
  #registeredAt: number | null = null;
  #failures = 0;

  constructor(options: NodeStateOptions) {
    this.#options = options;
  }

  /** Why nothing can start here now; null when it can. */
  get unavailable(): string | null {
    if (this.#facts === null) return "the agent has not seen its engine yet";
    if (this.#diskTrouble !== null) return this.#diskTrouble;
    // Scripts need no engine; what needs one is not placed here while it is away.
    return this.#options.runtime.scriptTools === undefined ? this.#facts.unavailable : null;
  }

  /** Registers anew: the directory may have forgotten. */
  renew(): void {
    this.#registered = false;
  }

  /**
   * What a beat was told of the node's registration. Another agent with this name may have registered since, and be gone
   * again: until this one registers anew, what it said counts.
   * @param at null: there is none; undefined: not said
   */
  compare(at: number | null | undefined): void {
    if (at === undefined || this.#registeredAt === null) return;
    if (at !== null && at <= this.#registeredAt) return;
    if (at !== null) {
      this.#options.log.warn(
        { registered_at: at },
        "another agent registers as this node; two of one name take each other's work",
      );
    }
    this.renew();
  }

  /** Looks at the engine every few seconds for ever, so that one started later is taken up. */
  async watch(): Promise<void> {
    const { log, life } = this.#options;
    while (!life.over) {
      try {
        await this.refresh();
      } catch (error) {
        if (error instanceof Abandoned) return;
        this.#failures++;
        log.warn({ error }, "the node could not be registered; trying again");
      }
      const soon = this.#failures > 0 ? backoffMs(this.#failures) : engineProbeMs;
      await sleep(soon, life).catch(() => {});
    }
  }

  /** One look; registers when something changed. */
  async refresh(): Promise<void> {
    const { runtime, directory, profile, onChange, log, now } = this.#options;
    const [facts, diskTrouble] = await Promise.all([runtime.describe(), this.#lookAtDisk()]);
    const changed =
      this.#facts === null || !sameFacts(this.#facts, facts) || diskTrouble !== this.#diskTrouble;
    this.#facts = facts;
    this.#diskTrouble = diskTrouble;
    const reason = diskTrouble ?? facts.unavailable;
    if (changed) {
      if (reason === null) log.info({ engine: facts.engine }, "the node takes work");
      else
        log.warn(
          { reason },
          diskTrouble === null ? "the node starts no containers" : "the node starts nothing",
        );
      onChange();
    }
    if (!changed && this.#registered) return;
    this.#registered = false;
    const registeredAt = now();
    const reply = await directory.register({
      ...profile,
      runtime: runtime.kind,
      cpus: facts.cpus,
      memory_bytes: facts.memoryBytes,
      engine: facts.engine,
      script_tools:
        runtime.scriptTools === undefined || diskTrouble !== null ? null : [...runtime.scriptTools],
      unavailable: reason,
      registered_at: registeredAt,
    });
    this.#registered = true;
    this.#registeredAt = reply.answer === "refused" ? null : registeredAt;
    this.#failures = 0;
    if (reply.answer === "refused")
      log.error({ reason: reply.reason }, "the control plane refuses this node");
    else if (reply.clipped.length > 0)
      log.warn({ clipped: reply.clipped }, "not all that this node offers is declared for it");
  }

  async #lookAtDisk(): Promise<string | null> {
    try {
      await this.#options.markers.probe();
      return null;
    } catch (error) {
      return diskTrouble(error);
    }
  }
}

function sameFacts(a: RuntimeFacts, b: RuntimeFacts): boolean {
  return (
    a.engine === b.engine &&
    a.cpus === b.cpus &&
    a.memoryBytes === b.memoryBytes &&
    a.unavailable === b.unavailable
  );
}
