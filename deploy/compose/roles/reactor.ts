import { removeArtifactsOf } from "../../../services/kernel/artifacts/taskArtifacts.ts";
import { type Erasing, startErasing } from "../../../services/reactor/startErasing.ts";
import { startReactor } from "../../../services/reactor/startReactor.ts";
import type { Ground, RunningRole } from "./role.ts";

/** Offers expire and nodes are lost in seconds: looking twice a second is early enough, and costs one walk of the live tasks. */
const SWEEP_MS = 500;
/** A snapshot holds all that is not settled: with 200,000 tasks that expire, making one takes some 0.3 s. */
const SNAPSHOT_EVERY_MS = 10_000;

/** Costs one read of the ledger for each task that stored output since. */
const LATE_EVERY_MS = 60_000;

export interface ReactorRole extends RunningRole {
  erasing(): ReturnType<Erasing["status"]>;
}

/** Deadlines, lost nodes, and the erasure of tasks whose time is up. */
export function reactorRole(
  ground: Ground,
  snapshotEveryMs = SNAPSHOT_EVERY_MS,
  lateEveryMs = LATE_EVERY_MS,
): ReactorRole {
  const { config } = ground;
  const lease = ground.lease("reactor");
  const lostAfterMs = config.nodeOfflineMs + config.nodeLostGraceMs;
  const stop = startReactor({ ...ground, lease, random: Math.random, lostAfterMs, sweepMs: SWEEP_MS });
  const erasing = startErasing({
    ...ground,
    lease,
    cursors: ground.nats.js.views.kv("cursors"),
    removeArtifacts: (key) => removeArtifactsOf(ground.nats, key),
    sweepMs: SWEEP_MS,
    snapshotEveryMs,
    lateEveryMs,
  });
  ground.metrics.watch("erasure", (set) => {
    const { waiting, heldUp } = erasing.status();
    set("cazi_erasures_waiting", {}, waiting);
    set(
      "cazi_erasure_held_up_seconds",
      {},
      heldUp === null ? 0 : (ground.clock.now() - heldUp.since) / 1_000,
    );
  });
  return {
    name: "reactor",
    trouble: () => null,
    erasing: () => erasing.status(),
    stop: async () => {
      await Promise.all([stop(), erasing.stop()]);
      await lease.stop();
    },
  };
}
