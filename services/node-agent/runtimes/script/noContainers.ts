import { availableParallelism, totalmem } from "node:os";
import type { Runtime } from "../../ports.ts";

const why = "it runs scripts alone (CAZI_NODE_RUNTIME=compartment)";

/** The part of a node without an engine that containers would go to. Nothing is ever placed there. */
export const noContainers: Runtime = {
  kind: "compartment",
  outlivesAgent: false,
  describe: async () => ({
    engine: null,
    cpus: availableParallelism(),
    memoryBytes: totalmem(),
    unavailable: why,
  }),
  observe: async () => [],
  resolveImage: async () => ({ is: "unavailable", message: why }),
  create: async () => ({ is: "refused", message: why }),
  attach: async () => ({ ended: Promise.resolve("refused"), close: () => {} }),
  follow: () => ({ ended: Promise.resolve("refused"), close: () => {} }),
  start: async () => ({ is: "failed", message: why }),
  startedAt: async () => null,
  wait: async () => "gone",
  signal: async () => "not_running",
  remove: async () => {},
};
