import type { RetryPolicy } from "../domain/sinks/retrySchedule.ts";
import type { Clock } from "../kernel/clock.ts";
import type { DeadLetters } from "../kernel/deadLetters/deadLetters.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import type { TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { Log } from "../kernel/log.ts";
import type { Meter } from "../kernel/metrics/metrics.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import type { SinkTries } from "./sinkTries.ts";
import type { TryPorts } from "./trySink.ts";

export interface SinksPorts extends TryPorts {
  readonly nats: Nats;
  readonly live: Pick<LiveFold, "ended" | "caughtUp" | "onApplied">;
  readonly ledger: TaskLedger;
  readonly dead: DeadLetters;
  readonly sinkTries: SinkTries;
  readonly lease: { held(): boolean };
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Meter;
}
