/** Whether this node takes work, kept current by looking at its engine. */
import type { NodeRegistration } from "../../schemas/messages/node.ts";
import type { AgentLife } from "./agentLife.ts";
import { engineProbeMs } from "./limits.ts";
import type { AgentLog, NodeDirectory, Runtime, RuntimeFacts } from "./ports.ts";
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
  readonly directory: NodeDirectory;
  readonly now: () => number;
  readonly life: AgentLife;
  readonly log: AgentLog;
  /** Called when the engine came or went. */
  readonly onChange: () => void;
}

export class NodeState {
  readonly #options: NodeStateOptions;
  #facts: RuntimeFacts | null = null;
  #registered = false;
  #failures = 0;

  constructor(options: NodeStateOptions) {
    this.#options = options;
  }

  /** Why nothing can start here now; null when it can. */
  get unavailable(): string | null {
    if (this.#facts === null) return "the agent has not seen its engine yet";
    // Scripts need no engine; what needs one is not placed here while it is away.
    return this.#options.runtime.scriptTools === undefined ? this.#facts.unavailable : null;
  }

  /** Registers anew: the directory may have forgotten. */
  renew(): void {
    this.#registered = false;
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
    const facts = await runtime.describe();
    const changed = this.#facts === null || !sameFacts(this.#facts, facts);
    this.#facts = facts;
    if (changed) {
      if (facts.unavailable === null) log.info({ engine: facts.engine }, "the node takes work");
      else log.warn({ reason: facts.unavailable }, "the node starts no containers");
      onChange();
    }
    if (!changed && this.#registered) return;
    this.#registered = false;
    const reply = await directory.register({
      ...profile,
      runtime: runtime.kind,
      cpus: facts.cpus,
      memory_bytes: facts.memoryBytes,
      engine: facts.engine,
      script_tools: runtime.scriptTools === undefined ? null : [...runtime.scriptTools],
      unavailable: facts.unavailable,
      registered_at: now(),
    });
    this.#registered = true;
    this.#failures = 0;
    if (reply.answer === "refused")
      log.error({ reason: reply.reason }, "the control plane refuses this node");
    else if (reply.clipped.length > 0)
      log.warn({ clipped: reply.clipped }, "not all that this node offers is declared for it");
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
