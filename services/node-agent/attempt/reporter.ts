import type { Report } from "../../../schemas/messages/node.ts";
import type { AgentLife } from "../agentLife.ts";
import type { Reports } from "../ports.ts";
import { untilDone } from "../repeat.ts";

export interface ReporterOptions {
  readonly reports: Reports;
  /** Builds the report of all facts known now. */
  readonly build: (revision: number) => Report;
  /** The first revision is one above this. */
  readonly revisionBase: number;
  readonly life: AgentLife;
  readonly onStored: () => void;
  readonly onFailure: (error: unknown, tries: number) => void;
}

/**
 * Sends the reports of one attempt: one in flight, and a newer one replaces any that waits, because reports
 * are cumulative. Each is repeated for ever: the attempt is held on this node until it is stored.
 */
export class Reporter {
  readonly #options: ReporterOptions;
  #wanted = 0;
  #stored = 0;
  #sending: Promise<void> | null = null;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Resolves when a report with all facts of now is stored. @throws Abandoned when the agent stops */
  async send(): Promise<void> {
    const mine = ++this.#wanted;
    while (this.#stored < mine) {
      this.#sending ??= this.#sendNewest().finally(() => {
        this.#sending = null;
      });
      await this.#sending;
    }
  }

  async #sendNewest(): Promise<void> {
    const { reports, build, revisionBase, life, onFailure } = this.#options;
    let revision = 0;
    await untilDone(
      () => {
        revision = this.#wanted;
        return reports.publish(build(revisionBase + revision));
      },
      { life, onFailure },
    );
    this.#stored = revision;
    this.#options.onStored();
  }
}
