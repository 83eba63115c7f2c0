import type { SmallDisk } from "../../support/smallDisk.ts";

/** One NATS server or a cluster of them, as faults see it. */
export interface NatsServers {
  readonly url: string;
  readonly credsFile: string;
  /** Where its data is, if that is a disk of its own. */
  readonly disk?: SmallDisk;
  /** SIGKILL to the one server, or to the leader of the ledger; it comes back. */
  killOne(): Promise<void>;
  /** Cuts the leader of the ledger off from everybody for so long. Only of a cluster. */
  cutLeaderOff?(forMs: number): Promise<void>;
  /** SIGSTOP to the leader of the ledger for so long. Only of a cluster. */
  stopLeader?(forMs: number): Promise<void>;
  stop(): Promise<void>;
}
