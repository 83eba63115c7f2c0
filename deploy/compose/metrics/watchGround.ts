/** Everything that a process can tell of what it sees, as sources of its metrics. Each process tells all of it. */
import { statfs } from "node:fs/promises";
import type { Metrics } from "../../../services/kernel/metrics/metrics.ts";
import type { Ground } from "../openGround.ts";
import { nodeGauges } from "./nodeGauges.ts";
import { processGauges } from "./processGauges.ts";
import { streamGauges } from "./streamGauges.ts";
import { taskGauges } from "./taskGauges.ts";
import { watchPositions } from "./watchPositions.ts";

type Watched = Pick<Ground, "config" | "clock" | "shard" | "nats" | "feed" | "live" | "gate" | "nodes">;

/** @returns how to stop what it listens to */
export function watchGround(metrics: Metrics, ground: Watched): () => void {
  const { nats, live, nodes, gate, clock, config, shard } = ground;
  const positions = watchPositions(ground);
  const streamPorts = { nats, live, shard, epoch: ground.feed.epoch, positions };
  const process = processGauges(metrics);
  const forget = nats.onReconnect(() => metrics.add("cazi_nats_reconnects_total", {}));
  metrics.watch("tasks", (set) => taskGauges(live, clock, set));
  metrics.watch("nodes", (set) => nodeGauges(nodes, (node) => live.tasks.countOn(node), set));
  metrics.watch("streams", (set) => streamGauges(streamPorts, set));
  metrics.watch("process", (set) => {
    process.read(set);
    set("cazi_nats_connected", {}, nats.connected() ? 1 : 0);
    set("cazi_ledger_regressed", {}, gate.state === "regressed" ? 1 : 0);
    set("cazi_ledger_writable", {}, gate.state === "open" ? 1 : 0);
  });
  metrics.watch("disk", async (set) => {
    const disk = await statfs(config.home);
    const used = disk.blocks - disk.bfree;
    set("cazi_disk_free_bytes", {}, disk.bavail * disk.bsize);
    set("cazi_disk_used_ratio", {}, used / Math.max(1, used + disk.bavail));
  });
  return () => {
    forget();
    positions.stop();
    process.stop();
  };
}
