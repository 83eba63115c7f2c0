import { seededRandom } from "../../support/seededRandom.ts";
import { alone, type BenchResult, compared, median, percentile } from "../figures.ts";
import { MadeUpCluster } from "./madeUpCluster.ts";

export interface SchedulingOptions {
  readonly rounds: number;
  readonly nodes: number;
  readonly pending: number;
  /** Passes a round. */
  readonly passes: number;
}

/** Between two passes so many tasks end and as many come: what 250 tasks a second are in 100 ms. */
const CHANGES = 25;

/**
 * Passes of the scheduler over a full cluster with a long queue, beside a bare sort of the same tasks and a walk over
 * the same nodes: what a scheduler that keeps no order would do before it decides anything.
 */
export function benchScheduling(options: SchedulingOptions): BenchResult {
  const cluster = new MadeUpCluster(options.nodes, seededRandom(7));
  const { burst } = fill(cluster, options);
  const rounds: { value: number; control: number }[] = [];
  const slowest: number[] = [];
  const times: number[] = [];
  let placed = 0;
  for (let round = 0; round < options.rounds; round++) {
    const [passes, controls]: [number[], number[]] = [[], []];
    for (let n = 0; n < options.passes; n++) {
      for (let change = 0; change < CHANGES && cluster.running.length > 0; change++) cluster.end();
      while (cluster.pending.size < options.pending) cluster.submit(0);
      cluster.now += 100;
      const began = performance.now();
      const result = cluster.pass();
      passes.push(performance.now() - began);
      controls.push(bareSort(cluster));
      cluster.apply(result);
      placed += result.placements.length;
    }
    rounds.push({ value: median(passes), control: median(controls) });
    slowest.push(percentile(passes, 0.99));
    times.push(...passes);
  }
  const size = `${options.nodes} nodes and ${options.pending} pending`;
  const target = { of: "value", is: "at most", value: 20 } as const;
  return {
    figures: [
      compared({
        name: `scheduling pass, ${size}`,
        unit: "ms",
        controlName: "a bare sort of them and a walk over the nodes",
        target,
        rounds,
      }),
      alone(`scheduling pass, ${size}, 99th percentile`, "ms", slowest, target),
      alone(`scheduling pass that places 256 on empty nodes, ${size}`, "ms", burst, target),
    ],
    details: {
      scheduling: {
        passes: times.length,
        longest_ms: Math.max(...times),
        placed_a_pass: placed / times.length,
        running: cluster.running.length,
      },
    },
  };
}

/** Fills an empty cluster until nothing more fits, with `pending` waiting. @returns times of full passes, in ms */
function fill(cluster: MadeUpCluster, options: SchedulingOptions): { readonly burst: readonly number[] } {
  const burst: number[] = [];
  for (;;) {
    while (cluster.pending.size < options.pending) cluster.submit();
    const began = performance.now();
    const result = cluster.pass();
    const tookMs = performance.now() - began;
    cluster.apply(result);
    if (result.placements.length === 256) burst.push(tookMs);
    if (result.placements.length < 20) return { burst };
  }
}

function bareSort(cluster: MadeUpCluster): number {
  const began = performance.now();
  const waiting = [...cluster.pending.values()].sort((a, b) => a.since - b.since);
  let free = 0;
  for (const { node, offers } of cluster.table.views) free += offers.slots - cluster.index.useOf(node).slots;
  if (waiting.length === 0 && free === 0) throw new Error("nothing was there to measure");
  return performance.now() - began;
}
