/**
 * What a node needs of a WorkloadSpec. The control plane has validated the whole of it; a node reads only what
 * it acts on and fills in defaults, so that a spec stored by an older or newer version still runs.
 */
import { z } from "zod";
import { Poison } from "../kernel/errors.ts";

const mount = z.object({
  source: z.string(),
  target: z.string(),
  read_only: z.boolean().default(true),
});
export type SpecMount = z.output<typeof mount>;

const resources = z.object({
  /** Cores; a fraction is allowed. */
  cpus: z.number().positive().default(1),
  /** Bytes. */
  memory: z
    .number()
    .int()
    .positive()
    .default(512 * 1024 * 1024),
  pids: z.number().int().positive().default(256),
  /** Bytes of /tmp when the root is read-only. */
  tmpfs: z
    .number()
    .int()
    .positive()
    .default(64 * 1024 * 1024),
});

/** The tools and budgets are the compartment's to know; a name that it does not know is refused there. */
const script = z.object({
  source: z.string(),
  modules: z.record(z.string(), z.string()).default({}),
  files: z.record(z.string(), z.string()).default({}),
  context: z.record(z.string(), z.unknown()).default({}),
  tools: z.array(z.string()).default([]),
  /** Given: `process` is a task of the control plane, and no command of the node. */
  process_image: z.string().nullish(),
  budgets: z.record(z.string(), z.number()).default({}),
  credentials: z.record(z.string(), z.string()).default({}),
  redact_fields: z.array(z.string()).default([]),
});
export type ExecutionScript = z.output<typeof script>;

/** A folder of `cazi agent`; what stands beside its files is as the flags of a run of it. */
const project = z.object({
  files: z.record(z.string(), z.string()),
  tools: z.array(z.string()).default([]),
  context: z.record(z.string(), z.unknown()).nullish(),
  process_image: z.string().nullish(),
  budgets: z.record(z.string(), z.number()).default({}),
});
export type ExecutionProject = z.output<typeof project>;

const executionSpec = z.object({
  /** This or a project given: it runs in a compartment, and everything of images and containers is unused. */
  script: script.nullish(),
  project: project.nullish(),
  image: z
    .string()
    .nullish()
    .transform((image) => image ?? ""),
  /** Empty: the image's own CMD. */
  command: z.array(z.string()).default([]),
  /** Null keeps the image's ENTRYPOINT, an empty list removes it. */
  entrypoint: z.array(z.string()).nullish(),
  environment: z.record(z.string(), z.string()).default({}),
  workdir: z.string().nullish(),
  user: z.string().nullish(),
  timeout_seconds: z.number().positive().default(3600),
  resources: resources.prefault({}),
  max_output_bytes: z
    .number()
    .int()
    .nonnegative()
    .default(16 * 1024 * 1024),
  network: z.string().default("bridge"),
  mounts: z.array(mount).default([]),
  pull_policy: z.enum(["always", "if_not_present", "never"]).default("if_not_present"),
  read_only: z.boolean().default(false),
  /** The output of the task before, as a file. */
  stdin_from_prev: z.boolean().default(false),
});
/** The part of a WorkloadSpec that a node acts on. */
export type ExecutionSpec = z.output<typeof executionSpec>;

/**
 * Reads the spec of a grant.
 * @param text canonical JSON of the WorkloadSpec
 * @throws Poison `SPEC_UNREADABLE` when this agent does not understand it
 */
export function parseExecutionSpec(text: string): ExecutionSpec {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Poison("SPEC_UNREADABLE", "the granted spec is not JSON", { cause });
  }
  const parsed = executionSpec.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Poison(
    "SPEC_UNREADABLE",
    `this node does not understand the granted spec: ${issue?.path.join(".")}: ${issue?.message}`,
    { hint: "Upgrade the node agent to the version of the control plane." },
  );
}
