import type { ContainerInfo } from "dockerode";
import type { RuntimeAttempt } from "../../ports.ts";

/** The engine's seven words for a container's state, as the three that matter here. */
export function stateOf({ State }: Pick<ContainerInfo, "State">): RuntimeAttempt["state"] {
  if (State === "created") return "created";
  return State === "exited" || State === "dead" || State === "removing" ? "exited" : "running";
}
