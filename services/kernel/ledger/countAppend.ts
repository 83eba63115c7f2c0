import { attemptOutcome } from "../../domain/task/attemptOutcome.ts";
import type { TaskEventBody } from "../../domain/task/taskEvent.ts";
import type { Clock } from "../clock.ts";
import type { Meter } from "../metrics/metrics.ts";
import type { AppendResult } from "./appendEvent.ts";

/** Appends, and counts what became of it. The writer counts: then each event is counted once over all processes. */
export async function countAppend(
  { meter, clock }: { readonly meter: Meter; readonly clock: Clock },
  body: TaskEventBody,
  append: () => Promise<AppendResult>,
): Promise<AppendResult> {
  const begun = clock.monotonicMs();
  try {
    const done = await append();
    if (done.result === "conflict") meter.add("cazi_ledger_conflicts_total", {});
    else count(meter, body, (clock.monotonicMs() - begun) / 1000);
    return done;
  } catch (error) {
    meter.add("cazi_ledger_append_failures_total", {});
    throw error;
  }
}

function count(meter: Meter, body: TaskEventBody, seconds: number): void {
  meter.add("cazi_ledger_appends_total", { event: body.type });
  meter.observe("cazi_ledger_append_seconds", {}, seconds);
  const outcome = attemptOutcome(body);
  if (outcome === null) return;
  meter.add("cazi_attempts_ended_total", { outcome });
  if (outcome === "image_pull" || outcome === "image_unavailable")
    meter.add("cazi_image_pull_failures_total", { reason: outcome });
}
