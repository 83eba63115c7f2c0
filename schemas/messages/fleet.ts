/** KV `fleet`, key `<node>`: what operators say of a node. Written by the control plane alone; no secret. */
import { z } from "zod";

/** The most that a node may register. A standalone node without one of these does not exist. */
export const nodeBounds = z.object({
  labels: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  /** Whose tasks may run there; null for everybody's. */
  tenants: z.array(z.string()).nullable(),
  slots: z.number().int().positive(),
  networks: z.array(z.string()),
  /** Host paths below which it may offer mounts. */
  mounts: z.array(z.string()),
});
export type NodeBounds = z.output<typeof nodeBounds>;

/** `draining` is `cordoned` that somebody waits for. `removed` stays, so that a late word of the node is known as such. */
export const fleetStates = ["active", "cordoned", "draining", "removed"] as const;
export type FleetState = (typeof fleetStates)[number];

export const fleetEntry = z.object({
  /** Null for a node in the services' own account: nothing bounds it. */
  bounds: nodeBounds.nullable(),
  state: z.enum(fleetStates),
  /** Public key of its NATS account; null where it has none of its own. */
  account: z.string().nullable(),
  /** Actor of the last change, and its time in milliseconds since 1970. */
  by: z.string(),
  changed_at: z.number().int().nonnegative(),
});
export type FleetEntry = z.output<typeof fleetEntry>;
