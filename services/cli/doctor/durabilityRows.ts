/** What an acknowledged submit survives. Pure. */
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
  const { ack, ackSetting, natsReplicas, postgresSyncs } = facts;
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
    natsReplicas > 1
      ? rowOf("nats_replicas", "ok", `${natsReplicas} NATS servers keep each event`)
      : rowOf("nats_replicas", "not_enforced", "one NATS server keeps the ledger: its disk is the only one"),
  ];
}

function powerCutRow({ ack, natsVersion, natsReplicas, postgresSyncs }: DurabilityFacts): Row {
  if ((ack === "projected" && postgresSyncs) || natsReplicas > 1) {
    const how =
      natsReplicas > 1 ? `${natsReplicas} NATS servers keep each event` : "Postgres syncs each commit";
    return rowOf("power_cut", "ok", `loses nothing acknowledged: ${how}`);
  }
  const postgres = postgresSyncs ? "" : ", nor does this Postgres";
  return rowOf(
    "power_cut",
    "warn",
    `a power cut may lose the last acknowledged events: NATS ${natsVersion} alone does not sync each one${postgres}`,
    postgresSyncs
      ? "Set CAZI_ACK=projected."
      : "Set DATABASE_URL to a Postgres server that syncs, or NATS_URL to a cluster of three.",
  );
}

/** What the version of the server cannot do. */
export function natsRow(version: string, replicas: number): Row {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  const old = major < 2 || (major === 2 && minor < 10);
  const name = `nats-server ${version}${replicas > 1 ? `, ${replicas} replicas` : ""}`;
  if (!old) return rowOf("nats", "ok", name);
  return rowOf(
    "nats",
    "warn",
    `${name}: it cannot sync each write and sends no word when a key expires (readers keep their own time), and it is not maintained any more`,
    "Use NATS 2.10 or newer where it can be had.",
  );
}
