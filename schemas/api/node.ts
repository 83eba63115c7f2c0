import { z } from "zod";
import { page, pageParameters } from "./page.ts";
import { timestamp } from "./timestamp.ts";

const names = z.array(z.string().min(1).max(253)).max(256);

/** The most that a standalone node may register. */
const boundsShape = {
  labels: z.record(z.string().min(1).max(253), z.string().max(253)),
  tags: names,
  tenants: names.nullable().describe("Whose tasks may run there; null for everybody's."),
  slots: z.number().int().min(1).max(10_000),
  networks: names,
  mounts: z
    .array(z.string().startsWith("/").max(4096))
    .max(256)
    .describe("Host paths below which it may offer mounts."),
};
const nodeBounds = z.object(boundsShape);

const room = z.object({ cpus: z.number().nonnegative(), memory_bytes: z.number().int().nonnegative() });

/** A machine that runs attempts. */
export const node = z.object({
  name: z.string(),
  status: z.enum(["online", "offline"]).describe("online: it gave a sign of life lately."),
  state: z
    .enum(["active", "cordoned", "draining"])
    .describe("What operators want: cordoned and draining take no new attempt; what runs goes on."),
  runtime: z
    .string()
    .describe(
      "docker; compartment: scripts alone; noop: it runs nothing and says that it succeeded; unknown before it first registers.",
    ),
  labels: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  slots: z.number().int().nonnegative().describe("Attempts it runs at once."),
  running: z.number().int().nonnegative().describe("Attempts it runs now, as it last said."),
  cpus: z.number().nonnegative(),
  memory_bytes: z.number().int().nonnegative(),
  offered: room.describe("What the tasks on it may declare together: CPUs may be overcommitted, memory not."),
  declared: room.describe("What the tasks on it declare together now."),
  mounts: z.array(z.string()).describe("Host paths that tasks on it may mount."),
  networks: z.array(z.string()),
  engine: z.string().nullable(),
  script_tools: z
    .array(z.string())
    .nullable()
    .describe("Tools that it offers to scripts; null: it runs no scripts."),
  unavailable: z
    .string()
    .nullable()
    .describe("Why it starts no containers now; null when it does. Scripts need no engine."),
  tenants: z
    .array(z.string())
    .nullable()
    .describe(
      "Whose tasks may run there; null for everybody's. Beside their own, only admins of the installation see others.",
    ),
  clipped: z
    .array(z.string())
    .describe(
      "What it offers beyond its declaration, and what therefore counts for nothing; one sentence each.",
    ),
  bounds: nodeBounds
    .nullable()
    .describe(
      "What was declared for it, for admins of the installation; null for a node in the services' account.",
    ),
  account: z
    .string()
    .nullable()
    .describe(
      "Public key of its NATS account, for admins of the installation; null where it has none of its own.",
    ),
  registered_at: timestamp.nullable().describe("Null before it first registers."),
  last_seen_at: timestamp
    .nullable()
    .describe("Its last sign of life; null when that is too long ago to be kept."),
});
export type Node = z.output<typeof node>;

export const listNodesQuery = z.strictObject(pageParameters);
export type ListNodesQuery = z.output<typeof listNodesQuery>;

export const nodePage = page(node);

export const nodeParams = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, { error: "must be a node's name" })
    .describe("A node's name."),
});

export const declareNode = z.strictObject({
  ...boundsShape,
  account: z
    .string()
    .regex(/^A[A-Z2-7]{55}$/, { error: "must be the public key of a NATS account" })
    .nullable()
    .default(null)
    .describe("Public key of its NATS account; null leaves the one that it has."),
});
export type DeclareNode = z.output<typeof declareNode>;

export const setNodeState = z.strictObject({ state: z.enum(["active", "cordoned", "draining"]) });

export const removeNodeQuery = z.strictObject({
  force: z
    .enum(["true", "false"])
    .default("false")
    .describe("true: also while attempts are on it; they count as lost."),
});

export const removedNode = z.object({
  name: z.string(),
  account: z
    .string()
    .nullable()
    .describe("Its NATS account, which is to be revoked; null where it had none."),
});
export type RemovedNode = z.output<typeof removedNode>;
