/** What an acknowledged submit survives. Pure. */
import { canSyncAlways, leaderTrialOf } from "./leaderChange.ts";
import { type Row, rowOf } from "./row.ts";

export interface DurabilityFacts {
  readonly natsVersion: string;
  readonly natsReplicas: number;
  /** Postgres waits for its disk before it commits. */
  readonly postgresSyncs: boolean;
  readonly ackSetting: "auto" | "published" | "projected";
  readonly ack: "published" | "projected";
}

export function durabilityRows(facts: DurabilityFacts): Row[] {
  const { ack, ackSetting, postgresSyncs } = facts;
  const meaning = ack === "projected" ? "in NATS and committed in Postgres" : "stored in NATS";
  const origin = ackSetting === "auto" ? "chosen" : "set by CAZI_ACK";
  return [
    rowOf("acknowledgement", "ok", `${ack} (${origin}): an acknowledged submit is ${meaning}`),
    rowOf("kill", "ok", "a kill of any process, of all of them as well, loses nothing acknowledged"),
    powerCutRow(facts),
    postgresSyncs
      ? rowOf("postgres_sync", "ok", "each commit waits for the disk")
      : rowOf(
          "postgres_sync",
          "not_enforced",
          "commits do not wait for the disk (the embedded Postgres never does)",
        ),
    replicasRow(facts),
  ];
}

function powerCutRow({ ack, natsVersion, natsReplicas, postgresSyncs }: DurabilityFacts): Row {
  if (ack === "projected" && postgresSyncs)
    return rowOf("power_cut", "ok", "loses nothing acknowledged: Postgres syncs each commit");
  const nats = canSyncAlways(natsVersion)
    ? `NATS ${natsVersion} syncs each one only with sync_interval: always, which cannot be seen from here`
    : `NATS ${natsVersion} does not sync each one`;
  const whose = natsReplicas > 1 ? `of all ${natsReplicas} NATS servers at once ` : "";
  const postgres = postgresSyncs ? "" : ", nor does this Postgres";
  return rowOf(
    "power_cut",
    "warn",
    `a power cut ${whose}may lose the last acknowledged events: ${nats}${postgres}`,
    postgresSyncs
      ? "Set CAZI_ACK=projected."
      : "Set DATABASE_URL to a Postgres server that syncs, or give NATS servers from 2.10 on sync_interval: always.",
  );
}

/** A kill of one server of a cluster loses nothing; one that is stopped or cut off while it leads is another matter. */
function replicasRow({ ack, natsVersion, natsReplicas }: DurabilityFacts): Row {
  if (natsReplicas <= 1)
    return rowOf(
      "nats_replicas",
      "not_enforced",
      "one NATS server keeps the ledger: its disk is the only one",
    );
  const trial = leaderTrialOf(natsVersion);
  const keep = `${natsReplicas} NATS servers keep each event`;
  const change =
    trial === null
      ? `what a leader that is stopped or cut off loses was not tried on ${natsVersion}`
      : `a leader that is stopped or cut off ${trial.lost ? "may hide what it" : "lost nothing in trials that it"} acknowledged on ${natsVersion}`;
  if (trial !== null && !trial.lost) return rowOf("nats_replicas", "ok", `${keep}; ${change}`);
  if (ack === "published")
    return rowOf(
      "nats_replicas",
      "warn",
      `${keep}; ${change}, and nothing else has it`,
      "Set CAZI_ACK=projected.",
    );
  return rowOf(
    "nats_replicas",
    trial === null ? "ok" : "warn",
    `${keep}; ${change}; Postgres has what was acknowledged`,
    "When the ledger is found damaged, `cazi ledger repair` brings it back from Postgres.",
  );
}

/** What the version of the server cannot do. */
export function natsRow(version: string, replicas: number): Row {
  const name = `nats-server ${version}${replicas > 1 ? `, ${replicas} replicas` : ""}`;
  if (canSyncAlways(version)) return rowOf("nats", "ok", name);
  return rowOf(
    "nats",
    "warn",
    `${name}: it cannot sync each write and sends no word when a key expires (readers keep their own time), and it is not maintained any more`,
    "Use NATS 2.10 or newer where it can be had.",
  );
}
