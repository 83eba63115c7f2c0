import { z } from "zod";
import { page, pageParameters } from "./page.ts";
import { timestamp } from "./timestamp.ts";

/** A machine that runs attempts. */
export const node = z.object({
  name: z.string(),
  status: z.enum(["online", "offline"]).describe("online: it gave a sign of life lately."),
  runtime: z.string().describe("docker, or noop: it runs nothing and says that it succeeded."),
  labels: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  slots: z.number().int().nonnegative().describe("Attempts it runs at once."),
  running: z.number().int().nonnegative().describe("Attempts it runs now, as it last said."),
  cpus: z.number().nonnegative(),
  memory_bytes: z.number().int().nonnegative(),
  mounts: z.array(z.string()).describe("Host paths that tasks on it may mount."),
  networks: z.array(z.string()),
  engine: z.string().nullable(),
  unavailable: z.string().nullable().describe("Why it takes no work now; null when it does."),
  registered_at: timestamp,
  last_seen_at: timestamp
    .nullable()
    .describe("Its last sign of life; null when that is too long ago to be kept."),
});
export type Node = z.output<typeof node>;

export const listNodesQuery = z.strictObject(pageParameters);
export type ListNodesQuery = z.output<typeof listNodesQuery>;

export const nodePage = page(node);
