import type { GroundOptions } from "./chaosGround.ts";

/** What most faults stand on: one server, two nodes for the load, and one that runs containers. */
export const commonGround: GroundOptions = {
  nats: "single",
  nodes: ["a", "b"],
  runtime: "noop",
  containerNode: "c",
};
