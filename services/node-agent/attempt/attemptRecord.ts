import type { AttemptRef, Ended, ImageIdentity, PullFacts, Report } from "../../../schemas/messages/node.ts";
import type { ArtifactAccess } from "../artifacts/sendFile.ts";
import type { LocalAttempt } from "../plan.ts";
import type { ClaimOffer, LedgerPosition } from "../ports.ts";
import type { Reporter } from "./reporter.ts";
import { StopRequest } from "./stopRequest.ts";

type LogCounts = Report["logs"];

const nothingLogged: LogCounts = { stdout: { stored: 0, dropped: 0 }, stderr: { stored: 0, dropped: 0 } };

/**
 * All that the agent knows of one attempt. Its state goes one way:
 * `asking` (no grant) → `granted` → `preparing` (image, container) → `running` → `stopping` → `held` (ended or
 * never started, and the report of that is stored). From any of them it may be forgotten only after `no` to
 * the grant, or, held, after the ledger says settled.
 */
export class AttemptRecord {
  readonly ref: AttemptRef;
  readonly stop = new StopRequest();
  state: LocalAttempt["state"] = "asking";
  grantedAt: LedgerPosition | null = null;
  image: ImageIdentity | null = null;
  /** Null while nothing was pulled for it. */
  pull: PullFacts | null = null;
  notStarted: Report["not_started"] = null;
  /** Where its files go; null for nowhere, undefined in a life that did not see its grant. */
  artifactAccess: ArtifactAccess | null | undefined = undefined;
  /** What its record is to say at its end, a sentence each. Lost with the agent. */
  readonly notes: string[] = [];
  startedAt: number | null = null;
  ended: Ended | null = null;
  /** Reads the log counts of now; set once there is output to count. */
  logCounts: () => LogCounts = () => nothingLogged;
  /** The newest offer of it that is not acknowledged. */
  offer: ClaimOffer | null = null;
  /** On the monotonic clock; when its newest report was stored. */
  reportedAt: number | null = null;
  /** Numbers and sends its reports; there is one, so that their numbers only grow. */
  reporter: Reporter | null = null;

  constructor(ref: AttemptRef) {
    this.ref = ref;
  }

  /** Acknowledges the claim: from here on the ledger's own state brings the attempt back, not the queue. */
  ackOffer(): void {
    this.offer?.ack();
    this.offer = null;
  }

  /** It ended, and that is stored: what is left of it waits to be settled, so nothing large may hang on it. */
  hold(): void {
    const counts = this.logCounts();
    this.logCounts = () => counts;
    this.stop.forget();
    this.state = "held";
  }

  /** All facts so far, as the report number `revision`. */
  toReport(node: string, revision: number): Report {
    return {
      ...this.ref,
      node,
      revision,
      image: this.image,
      pull: this.pull,
      not_started: this.notStarted,
      started_at: this.startedAt,
      ended: this.ended,
      logs: this.logCounts(),
    };
  }

  toLocal(nowMs: number): LocalAttempt {
    return {
      ref: this.ref,
      state: this.state,
      grantedAt: this.grantedAt,
      reportedAgoMs: this.reportedAt === null ? null : nowMs - this.reportedAt,
    };
  }
}
