/**
 * The schema of a WorkloadSpec: type, validation, OpenAPI and MCP input schema in one. Rules that look at several
 * fields, or that the schema language cannot say, are in `specRules.ts`; `readSpec` applies all.
 */
import { z } from "zod";
import { isRefusal } from "../refusal.ts";
import { parseImageReference } from "./imageReference.ts";
import * as limits from "./limits.ts";
import { parseMemorySize } from "./memorySize.ts";
import { normalizePath } from "./mountPath.ts";
import { outputSink, sinkFields } from "./outputSinks.ts";
import { projectFieldsAt, projectObject } from "./projectSpec.ts";
import { onlyForScripts } from "./scriptRules.ts";
import { script, scriptFieldsAt } from "./scriptSpec.ts";
import { distinctSinks } from "./sinkRules.ts";
import * as rules from "./specRules.ts";

const ARGV_NOT_SHELL =
  'a command is an argv, never a shell string; write a list such as ["sh", "-c", "echo hi"]';

/** An argv; `error` stands for a plain string, the commonest mistake. */
const argv = z
  .array(z.string().check(rules.argumentSize), {
    error: (issue) => (typeof issue.input === "string" ? ARGV_NOT_SHELL : undefined),
  })
  .max(limits.argumentsMax);

const nodeName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, {
  error: "must be 1 to 63 of a-z, 0-9, '-' and '_', beginning with a letter or digit",
});

const labelName = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/, {
  error: `must be 1 to ${limits.labelNameCharsMax} letters, digits, '.', '_', '/' or '-', beginning and ending with a letter or digit`,
});

const labels = z
  .record(labelName, z.string().max(limits.labelValueCharsMax).check(rules.oneLine))
  .check(rules.countOfNames(limits.labelsMax));

const tag = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,62}$/, {
  error: `must be 1 to ${limits.tagCharsMax} letters, digits, '.', '_', ':', '/' or '-', beginning with a letter or digit`,
});

const absolutePath = z
  .string()
  .max(limits.pathCharsMax)
  .regex(/^\//, { error: "must be an absolute path" })
  .check(rules.plainPath)
  .overwrite(normalizePath);

/** A size in the input ("512Mi", bytes); bytes in the record, so that two spellings are one intent. */
function size(range: { readonly minBytes: number; readonly maxBytes: number }) {
  return z
    .union([z.string(), z.number()], { error: "must be a size such as 512Mi, or a number of bytes" })
    .transform((given, context) => {
      const bytes = parseMemorySize(given);
      if (!isRefusal(bytes)) return bytes;
      context.addIssue({ code: "custom", message: bytes.message });
      return z.NEVER;
    })
    .pipe(z.number().int().min(range.minBytes).max(range.maxBytes));
}

const resources = z.strictObject({
  cpus: z
    .number()
    .min(limits.cpusMin)
    .max(limits.cpusMax)
    .default(limits.cpusDefault)
    .describe("CPUs the container may use; a fraction is allowed."),
  memory: size({ minBytes: limits.memoryBytesMin, maxBytes: limits.memoryBytesMax })
    .prefault(limits.memoryDefault)
    .describe('Memory, swap included: bytes, or text such as "512Mi" or "1g" (1024s). Bytes in the record.'),
  pids: z
    .number()
    .int()
    .min(1)
    .max(limits.pidsMax)
    .default(limits.pidsDefault)
    .describe("Processes and threads the container may have."),
  tmpfs: size({ minBytes: limits.tmpfsBytesMin, maxBytes: limits.tmpfsBytesMax })
    .prefault(limits.tmpfsDefault)
    .describe('Size of /tmp when read_only is true: bytes, or text such as "64Mi". Bytes in the record.'),
});

const selector = z.strictObject({
  node: nodeName.nullable().default(null).describe("Run on this node and no other."),
  labels: labels.default({}).describe("Run on a node that has all these labels."),
});

const mount = z.strictObject({
  source: absolutePath
    .check(rules.allowedSource)
    .describe("Absolute path on the node's host; the node's own allowlist decides."),
  target: absolutePath.check(rules.allowedTarget).describe("Absolute path in the container."),
  read_only: z.boolean().default(true).describe("False lets the container write to the host's files."),
});

const what = {
  image: z
    .string()
    .check(rules.valid(parseImageReference))
    .nullable()
    .default(null)
    .describe(
      "Image to run, [registry[:port]/]path[:tag][@sha256:…]. Exactly one of image, script and project.",
    ),
  script: script
    .nullable()
    .default(null)
    .describe("JavaScript to run in a compartment instead of an image; a text alone is its source."),
  project: projectObject.optional().describe("A `cazi agent` project, to run in a compartment instead."),
  command: argv
    .default([])
    .describe(
      "Argv, never a shell string. Takes the place of the image's CMD; its ENTRYPOINT stays. Empty: the image's own.",
    ),
  entrypoint: argv
    .nullable()
    .default(null)
    .describe(
      "Argv that takes the place of the image's ENTRYPOINT; null keeps it, an empty list removes it.",
    ),
  environment: z
    .record(
      z
        .string()
        .max(limits.environmentNameCharsMax)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
          error: "must be a name of letters, digits and '_' that does not begin with a digit",
        })
        .check(rules.notReserved),
      z.string(),
    )
    .check(rules.environmentSize)
    .default({})
    .describe(
      "Environment variables, 64 KiB in all. They stay in the record: no secrets. Names beginning with CAZI_ are reserved.",
    ),
  workdir: absolutePath
    .check(rules.allowedWorkdir)
    .nullable()
    .default(null)
    .describe("Working directory in the container; null: the image's own."),
  user: z
    .string()
    .max(limits.userCharsMax)
    .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?$/, {
      error: 'must be a user or user:group, by name or number, such as "1000:1000"',
    })
    .nullable()
    .default(null)
    .describe('User in the container, "name", "uid" or "uid:gid"; null: the image\'s own.'),
  stdin_from_prev: z
    .boolean()
    .default(false)
    .describe(
      "The standard output of the task before it as the read-only file /pipe/stdin. Only for a task that follows another one (a task sink), where it is true unless said otherwise.",
    ),
};

const bounds = {
  timeout_seconds: z
    .number()
    .int()
    .min(1)
    .max(limits.timeoutSecondsMax)
    .default(limits.timeoutSecondsDefault)
    .describe("Longest run of one attempt, from the container's start, in seconds."),
  resources: resources.prefault({}).describe("What the container may use."),
  max_retries: z
    .number()
    .int()
    .min(0)
    .max(limits.retriesMax)
    .default(0)
    .describe(
      "Further attempts after one that ran and failed, timed out or was lost with its node. One that never started is tried again anyway.",
    ),
  priority: z
    .number()
    .int()
    .min(-limits.priorityMax)
    .max(limits.priorityMax)
    .overwrite(rules.withoutNegativeZero)
    .default(0)
    .describe(
      "Among the tasks of the tenant a higher one goes to a node earlier. Waiting counts too: ten seconds weigh as much as one point.",
    ),
  ttl_seconds: z
    .number()
    .int()
    .min(1)
    .max(limits.ttlSecondsMax)
    .nullable()
    .default(null)
    .describe(
      "Seconds after its end at which the task is erased: its record, events, output and files. Only a tombstone stays, so that its id and Idempotency-Key are never used again. null: kept for ever.",
    ),
  start_within_seconds: z
    .number()
    .int()
    .min(1)
    .max(limits.startWithinSecondsMax)
    .nullable()
    .default(null)
    .describe(
      "Fails with the reason start_deadline when its container has not started within this many seconds of the submit; null: waits.",
    ),
  concurrency_key: z
    .string()
    .min(1)
    .max(limits.concurrencyKeyCharsMax)
    .check(rules.oneLine)
    .nullable()
    .default(null)
    .describe("Tasks of the tenant with the same key run at most concurrency_limit at a time."),
  concurrency_limit: z
    .number()
    .int()
    .min(1)
    .max(limits.concurrencyMax)
    .default(1)
    .describe(
      "How many tasks with this concurrency_key may be on nodes at once, this one included; where tasks say different numbers, each goes by its own.",
    ),
  artifact_ttl_seconds: z
    .number()
    .int()
    .min(1)
    .max(limits.ttlSecondsMax)
    .default(limits.artifactTtlSecondsDefault)
    .describe("Life of each file that the container publishes, in seconds from when it was stored; a week."),
  max_output_bytes: z
    .number()
    .int()
    .min(1)
    .max(limits.outputBytesMax)
    .default(limits.outputBytesDefault)
    .describe("Bytes kept of stdout and of stderr, each; what comes after is counted and dropped."),
};

const where = {
  selector: selector.prefault({}).describe("Which nodes may run it."),
  tags: z
    .array(tag)
    .max(limits.tagsMax)
    .check(rules.distinct)
    .default([])
    .describe("Tags that the node must have, all of them."),
  network: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, {
      error: `must be "bridge", "none", or the name of a network, at most ${limits.networkCharsMax} characters`,
    })
    .check(rules.isolatedNetwork)
    .default("bridge")
    .describe('"bridge", "none", or a network that the node allows.'),
  mounts: z
    .array(mount)
    .max(limits.mountsMax)
    .check(rules.distinctTargets)
    .default([])
    .describe("Host paths to mount; only what the node's allowlist permits."),
  pull_policy: z
    .enum(["always", "if_not_present", "never"])
    .default("if_not_present")
    .describe("When to pull the image."),
  read_only: z
    .boolean()
    .default(false)
    .describe("True makes the root filesystem read-only, with a writable /tmp of resources.tmpfs."),
};

const out = {
  output_format: z
    .enum(["text", "ndjson", "json", "markdown"])
    .default("text")
    .describe("How stdout is parsed at the end; ndjson for a script."),
  output_sinks: z
    .array(outputSink)
    .max(limits.sinksMax)
    .check(distinctSinks)
    .default([])
    .describe(
      "Where the output goes when the task has ended. What becomes of it changes nothing of the task.",
    ),
};

const whoAndWhy = {
  name: z
    .string()
    .min(1)
    .max(limits.nameCharsMax)
    .check(rules.oneLine)
    .nullable()
    .default(null)
    .describe("Short name for people, shown in lists; it need not be unique."),
  labels: labels.default({}).describe("Names and values to find the task by."),
  rationale: z
    .string()
    .check(rules.rationaleText)
    .nullable()
    .default(null)
    .describe("Why this task exists, for whoever reads the record."),
  connections: z
    .array(nodeName)
    .max(limits.connectionsMax)
    .default([])
    .check(rules.distinct)
    .describe("Names of stored connections: secrets for the container and its pull."),
};

/** The declared intent of one task. */
export const workloadSpecSchema = z
  .strictObject({ ...what, ...bounds, ...where, ...out, ...whoAndWhy })
  .check(rules.oneOfWhat)
  .check(onlyForScripts)
  .meta({
    title: "WorkloadSpec",
    description: "One container to run once: what, within which limits, where, and why.",
    examples: [
      {
        image: "alpine:latest",
        command: ["sh", "-c", "echo hello from cazi"],
        timeout_seconds: 60,
        rationale: "Smoke-test that the node can pull and run a container.",
      },
    ],
  });

/** A spec as it is stored: every field present. Sizes are bytes. */
export type WorkloadSpec = z.output<typeof workloadSpecSchema>;
/** A spec as it is sent. */
export type WorkloadSpecInput = z.input<typeof workloadSpecSchema>;

/**
 * Names of the fields of the object at `path` (array positions are numbers); empty where there is no fixed set.
 * @param value what stands there, where its fields follow from its type
 */
export function fieldsAt(path: readonly PropertyKey[], value?: unknown): readonly string[] {
  const [first] = path;
  if (first === undefined) return Object.keys(workloadSpecSchema.shape);
  if (path.length === 1 && first === "resources") return Object.keys(resources.shape);
  if (path.length === 1 && first === "selector") return Object.keys(selector.shape);
  if (first === "script") return scriptFieldsAt(path);
  if (first === "project") return projectFieldsAt(path);
  if (path.length === 2 && first === "mounts") return Object.keys(mount.shape);
  if (path.length === 2 && first === "output_sinks")
    return sinkFields((value as { readonly type?: unknown } | null | undefined)?.type);
  return [];
}
