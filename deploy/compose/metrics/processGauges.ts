import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics, SetGauge } from "../../../services/kernel/metrics/metrics.ts";

/** Twenty wake-ups a second, none of them in JavaScript. What the histogram holds includes this. */
const RESOLUTION_MS = 50;
const QUANTILES = [
  ["0.5", 50],
  ["0.99", 99],
] as const;

/** What this process takes of its machine. */
export function processGauges(metrics: Metrics): { read(set: SetGauge): void; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let counted = 0;
  const lagSeconds = (nanoseconds: number) =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) : 0;
  return {
    read: (set) => {
      const { user, system } = process.cpuUsage();
      const cpu = (user + system) / 1e6;
      metrics.add("cazi_process_cpu_seconds_total", {}, cpu - counted);
      counted = cpu;
      const { rss, heapUsed } = process.memoryUsage();
      set("cazi_process_resident_memory_bytes", {}, rss);
      set("cazi_process_heap_used_bytes", {}, heapUsed);
      set("cazi_process_start_time_seconds", {}, (Date.now() - process.uptime() * 1000) / 1000);
      for (const [quantile, percentile] of QUANTILES)
        set("cazi_event_loop_lag_seconds", { quantile }, lagSeconds(delay.percentile(percentile)));
      set("cazi_event_loop_lag_seconds", { quantile: "1" }, lagSeconds(delay.max));
      delay.reset();
    },
    stop: () => delay.disable(),
  };
}
