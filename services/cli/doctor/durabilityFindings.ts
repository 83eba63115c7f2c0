/** What an acknowledged submit survives. Pure. */
import type { Finding } from "./finding.ts";

export interface DurabilityFacts {
  readonly natsVersion: string;
  readonly natsReplicas: number;
  /** Postgres waits for its disk before it commits. */
  readonly postgresSyncs: boolean;
  readonly ackSetting: "auto" | "published" | "projected";
  readonly ack: "published" | "projected";
}

export function durabilityFindings(facts: DurabilityFacts): Finding[] {
  const { ack, ackSetting, natsVersion, natsReplicas, postgresSyncs } = facts;
  const meaning = ack === "projected" ? "in NATS and committed in Postgres" : "stored in NATS";
  const origin = ackSetting === "auto" ? "chosen" : "set by CAZI_ACK";
  const acknowledgement: Finding = {
    check: "acknowledgement",
    result: "ok",
    found: `${ack} (${origin}): an acknowledged submit is ${meaning}`,
    advice: "",
  };
  const survives = (ack === "projected" && postgresSyncs) || natsReplicas > 1;
  if (survives) {
    const how =
      natsReplicas > 1 ? `${natsReplicas} NATS servers keep each event` : "Postgres syncs each commit";
    return [
      acknowledgement,
      {
        check: "durability",
        result: "ok",
        found: `a power cut loses nothing acknowledged: ${how}`,
        advice: "",
      },
    ];
  }
  return [
    acknowledgement,
    {
      check: "durability",
      result: "warning",
      found: `a kill of any process loses nothing acknowledged, a power cut may: NATS ${natsVersion} alone does not sync each event${postgresSyncs ? "" : ", nor does this Postgres"}`,
      advice: postgresSyncs
        ? "Set CAZI_ACK=projected."
        : "Set DATABASE_URL to a Postgres server that syncs, or NATS_URL to a cluster of three.",
    },
  ];
}
