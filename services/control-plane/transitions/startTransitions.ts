import type { Clock } from "../../kernel/clock.ts";
import type { ConnectionStore } from "../../kernel/connections/connectionStore.ts";
import type { LiveFold } from "../../kernel/ledger/liveFold.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";
import type { Tracer } from "../../kernel/tracing/tracer.ts";
import type { Identity } from "../identity/identity.ts";
import { answerBeats } from "./answerBeats.ts";
import { answerGrants } from "./answerGrants.ts";
import { answerLogOffsets } from "./answerLogOffsets.ts";
import { answerRegistrations } from "./answerRegistrations.ts";
import { takeReports } from "./takeReports.ts";

/**
 * The part of the control plane that nodes talk to: registrations, grants, beats and reports. It needs no
 * Postgres, so running tasks end truthfully while Postgres is down. Any number of replicas.
 * @returns how to stop
 */
export function startTransitions(ports: {
  readonly nats: Nats;
  readonly identity: Pick<Identity, "issue">;
  readonly connections: Pick<ConnectionStore, "open">;
  /** Where containers publish files; none where that is nowhere. */
  readonly artifactUrl?: string | null;
  readonly stdinUrl?: string | null;
  readonly modelUrl?: string | null;
  readonly ledger: TaskLedger;
  readonly live: LiveFold;
  readonly nodes: NodeDirectory;
  readonly epoch: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly claimLimitMs: number;
  readonly startLimitMs: number;
  readonly stopGraceMs: number;
  readonly tracer: Tracer;
}): () => Promise<void> {
  const stops = [
    answerRegistrations(ports),
    answerLogOffsets(ports),
    answerGrants(ports),
    answerBeats(ports),
    takeReports(ports),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
