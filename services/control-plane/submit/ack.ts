/** What an acknowledgement of a creating request means. */
export type AckMode = "published" | "projected";

export interface AckFacts {
  readonly setting: "auto" | AckMode;
  /** Postgres waits for its disk before it commits. */
  readonly postgresSyncs: boolean;
  /** `2.9.10`; null where it is not known. */
  readonly natsVersion: string | null;
  /** More than one server keeps each message. */
  readonly natsReplicated: boolean;
}

/**
 * The mode in force. Unless one is set, it is the one that survives a power cut where any does: a single NATS
 * server before 2.10 never waits for its disk, so there Postgres has to have the event as well, if Postgres
 * does wait for its own. On a cluster Postgres has to have it in any case: a change of leader may hide what NATS has
 * acknowledged, and the copy is then what it comes back from (ADR 0036).
 */
export function decideAck(facts: AckFacts): AckMode {
  if (facts.setting !== "auto") return facts.setting;
  if (facts.natsReplicated) return "projected";
  const natsMaySync = facts.natsVersion === null || hasSyncAlways(facts.natsVersion);
  return facts.postgresSyncs && !natsMaySync ? "projected" : "published";
}

/** `sync_interval: always` came with 2.10. */
function hasSyncAlways(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return major > 2 || (major === 2 && minor >= 10);
}
