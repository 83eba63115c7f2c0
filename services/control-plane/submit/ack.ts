/** What an acknowledgement of a creating request means. */
export type AckMode = "published" | "projected";

export interface AckFacts {
  readonly setting: "auto" | AckMode;
  /** Postgres waits for its disk before it commits. */
  readonly postgresSyncs: boolean;
  /** More than one server keeps each message. */
  readonly natsReplicated: boolean;
}

/**
 * The mode in force. Unless one is set, it is the one that survives a power cut where any does. Whether NATS waits for its disk
 * cannot be seen from here: before 2.10 a single server never does, later ones only where `sync_interval: always` is set, and the
 * embedded one sets nothing. So Postgres has to have the event as well, if Postgres does wait for its own. On a cluster it has
 * to in any case: a change of leader may hide what NATS has acknowledged, and the copy is then what it comes back from (ADR 0036).
 */
export function decideAck({ setting, postgresSyncs, natsReplicated }: AckFacts): AckMode {
  if (setting !== "auto") return setting;
  return natsReplicated || postgresSyncs ? "projected" : "published";
}
