/** The compartment as a node's runtime of scripts: from a spec's script to a run of it. */
import { randomInt } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Budgets, budgetKeys } from "../../../services/compartment/budgets/budgets.ts";
import { secretValues } from "../../../services/compartment/cli/resolveConfig.ts";
import { ENGINE_NAME, loadEngine } from "../../../services/compartment/engine/engineModule.ts";
import { createGuestPool, type GuestPool } from "../../../services/compartment/engine/guestPool.ts";
import type { Guest } from "../../../services/compartment/engine/guestThread.ts";
import { SECRET_CHARACTERS_MIN } from "../../../services/compartment/membrane/redaction.ts";
import { stackLines, thrownSentence } from "../../../services/compartment/membrane/thrownText.ts";
import { modelPlane } from "../../../services/compartment/network/modelPlane.ts";
import { systemNetwork } from "../../../services/compartment/network/networkPort.ts";
import { configuredRegistry } from "../../../services/compartment/network/npmRegistry.ts";
import type { AgentConfig, NamedPath } from "../../../services/compartment/policy/agentConfig.ts";
import { configOf, type Settings } from "../../../services/compartment/policy/settings.ts";
import { workloadRunner } from "../../../services/compartment/process/workloadRunner.ts";
import { toolManifest } from "../../../services/compartment/tools/manifest.ts";
import { type RunResult, runAgent } from "../../../services/compartment/turn/runAgent.ts";
import { callsModel, type Program, programOf } from "../../../services/domain/spec/programOf.ts";
import { MODEL_BY_PLANE, PROCESS_AS_TASK, PROJECTS } from "../../../services/domain/spec/scriptRules.ts";
import type { Clock } from "../../../services/kernel/clock.ts";
import type { Config } from "../../../services/kernel/config.ts";
import { CaziError, Rejection } from "../../../services/kernel/errors.ts";
import type { ExecutionScript } from "../../../services/node-agent/executionSpec.ts";
import type {
  ScriptEnd,
  ScriptEngine,
  ScriptJob,
} from "../../../services/node-agent/runtimes/script/scriptEngine.ts";
import { configOfProject } from "./projectConfig.ts";

/** Of one run. A program that does nothing but call tools fills it in a minute. */
const AUDIT_LOG_BYTES_MAX = 64 * 1024 * 1024;
const MiB = 1024 * 1024;
/** Longest that a timer of the engine's parent takes. */
const TIMER_MS_MAX = 2_147_483_647;
const HEAP_MB_DEFAULT = 64;
const HEAP_MB_MIN = 24;
/** A thread that is up when a script comes takes a twentieth of the time of one that is not. */
const THREADS_AHEAD = 2;

type Env = Readonly<Record<string, string | undefined>>;

/** The compartment of a node, with what its operator lets scripts have; null where scripts are off. */
export async function compartmentScripts(of: {
  readonly config: Config;
  readonly clock: Clock;
  readonly env: Env;
}): Promise<ScriptEngine | null> {
  const { config, clock, env } = of;
  if (config.nodeScripts === "off" || config.nodeRuntime === "noop") return null;
  const tools = offeredTools(config);
  const engine = await loadEngine();
  const guests = createGuestPool({ ahead: THREADS_AHEAD });
  // Asked once, at the start of the node: what the operator configured, no program and no spec changes.
  const npm_registry = tools.includes("npm.metadata")
    ? await configuredRegistry({ cwd: process.cwd(), env })
    : null;
  return {
    identity: { name: ENGINE_NAME, sha256: engine.sha256 },
    tools,
    run: async (job) => {
      try {
        const agent = await agentConfig(job, { commands: config.nodeScriptCommands, npm_registry });
        return endOf(await runAgent(portsOf(job, { clock, guests }), agent));
      } catch (error) {
        if (!(error instanceof CaziError)) throw error;
        return { reason: "refused", message: `${error.code}: ${error.message}`, detail: null, head: null };
      }
    },
    close: () => guests.close(),
  };
}

/** @throws Rejection `CONFIG_INVALID` for a tool that there is not */
function offeredTools({ nodeScriptTools, nodeScriptCommands }: Config): readonly string[] {
  const given = toolManifest.filter(({ available }) => available !== "false");
  const inside = given.filter(({ class: kind }) => !OUTSIDE.has(kind)).map(({ name }) => name);
  const named = given.filter(({ class: kind }) => kind === "named-network").map(({ name }) => name);
  const wanted = nodeScriptTools.includes("*") ? named : nodeScriptTools;
  const unknown = wanted.find((name) => !named.includes(name));
  if (unknown !== undefined) {
    throw new Rejection("CONFIG_INVALID", `CAZI_NODE_SCRIPT_TOOLS names ${unknown}, which is none of them.`, {
      hint: `There are ${named.join(", ")}; process comes with CAZI_NODE_SCRIPT_COMMANDS, and model.call is the control plane's: CAZI_MODEL_KEY.`,
    });
  }
  const process = Object.keys(nodeScriptCommands).length > 0 ? ["process"] : [];
  return [...inside, ...wanted, ...process, PROCESS_AS_TASK, MODEL_BY_PLANE, PROJECTS];
}

const OUTSIDE = new Set(["named-network", "model", "process"]);

function portsOf(job: ScriptJob, { clock, guests }: { readonly clock: Clock; readonly guests: GuestPool }) {
  return {
    clock,
    guests: watchedPool(guests, job),
    seed: () => randomInt(2 ** 32),
    tools: {
      network: systemNetwork,
      credential: (name: string) => job.secrets[name] ?? "",
      taskRunner: job.process === null ? null : workloadRunner({ ...job.process, network: systemNetwork }),
      ...(job.model === null ? {} : { modelPlane: modelPlane({ ...job.model, network: systemNetwork }) }),
    },
    secrets: Object.values(job.secrets).filter((value) => value.length >= SECRET_CHARACTERS_MIN),
    onEvent: (event: object) => job.onEvent(JSON.stringify(event)),
    cwd: job.folder,
  };
}

/** The same pool; its guests end when the job is to stop, or when its log is too long. */
function watchedPool(pool: GuestPool, { stop, auditLog }: ScriptJob): GuestPool {
  const watched = (guest: Guest): Guest => {
    const end = () => guest.stop("stopped");
    if (stop.aborted) end();
    else stop.addEventListener("abort", end, { once: true });
    return {
      get failed() {
        return guest.failed;
      },
      stop: (reason) => guest.stop(reason),
      discard: () => guest.discard(),
      run: async (start, of, answer) => {
        try {
          return await guest.run(start, of, async (question) => {
            if (statSync(auditLog).size > AUDIT_LOG_BYTES_MAX) guest.stop("audit_log_bytes");
            return answer(question);
          });
        } finally {
          stop.removeEventListener("abort", end);
        }
      },
    };
  };
  return { warm: (heap) => pool.warm(heap), take: (of) => watched(pool.take(of)), close: async () => {} };
}

interface NodeGives {
  readonly commands: Readonly<Record<string, string>>;
  readonly npm_registry: string | null;
}

/** The configuration of a run. A credential that is not there, or too short to be redacted, is refused before anything runs. */
async function agentConfig(job: ScriptJob, node: NodeGives): Promise<AgentConfig> {
  const program = programOf("script" in job.program ? { script: job.program.script } : job.program)!;
  if (program.processImage !== null && job.process === null)
    throw notOffered("PROCESS_TASK_NOT_OFFERED", "takes no commands of scripts", "CAZI_ARTIFACT_LISTEN");
  if (callsModel(program) && job.model === null)
    throw notOffered("MODEL_NOT_OFFERED", "asks no model", "CAZI_MODEL_KEY and CAZI_ARTIFACT_LISTEN");
  const own = await ownSettings(job, program, node);
  const { folder, artifacts } = job;
  const config =
    "script" in job.program
      ? await configOfScript(job.program.script, { folder, artifacts, own })
      : await configOfProject({ project: job.program.project, folder, artifacts, own });
  secretValues(config, job.secrets);
  const { npm_registry } = node;
  if (job.model === null) return { ...config, resolved: { npm_registry, model_url: null } };
  return { ...config, resolved: { npm_registry, model_url: job.model.endpoint, model_by_plane: true } };
}

/** What is the task's to say and not the program's. */
async function ownSettings(job: ScriptJob, program: Program, { commands }: NodeGives): Promise<Settings> {
  const work = join(job.folder, "work");
  const runsCommandsHere = program.tools.includes("process") && program.processImage === null;
  if (runsCommandsHere) await mkdir(work, { recursive: true, mode: 0o700 });
  return {
    agent: null,
    budgets: budgetsOf(job, program),
    values: {
      audit_log: { name: "agent-audit.jsonl", path: job.auditLog },
      run_id: job.runId,
      ...(runsCommandsHere ? processOf(commands, work) : {}),
    },
  };
}

/** With the script's texts as files of its own folder. */
async function configOfScript(
  script: ExecutionScript,
  of: { readonly folder: string; readonly artifacts: string; readonly own: Settings },
): Promise<AgentConfig> {
  const put = async (kind: string, name: string, text: string): Promise<NamedPath> => {
    const path = join(of.folder, kind, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    return { name, path };
  };
  const modules: Record<string, NamedPath> = {};
  for (const [name, text] of Object.entries(script.modules))
    modules[name] = await put("modules", `${Object.keys(modules).length}.js`, text);
  const files: NamedPath[] = [];
  for (const [name, text] of Object.entries(script.files)) files.push(await put("files", name, text));
  return configOf(
    {
      agent: await put("source", "script.js", script.source),
      budgets: of.own.budgets,
      values: {
        ...of.own.values,
        context: script.context,
        tools: script.tools,
        modules,
        fs_read: files,
        fs_write: { name: "artifacts", path: of.artifacts },
        redact_fields: script.redact_fields,
        secrets: script.credentials,
      },
    },
    null,
  );
}

function processOf(commands: Readonly<Record<string, string>>, work: string) {
  const named = Object.entries(commands).map(([name, path]) => [name, { name: path, path }] as const);
  return { process_commands: Object.fromEntries(named), process_cwd: { name: "work", path: work } };
}

/** The control plane that took the task offered it, and the one that granted it does not. */
function notOffered(code: string, what: string, settings: string): Rejection {
  return new Rejection(code, `the control plane ${what}; its operator sets ${settings}`);
}

/** The task's own limits bound those of the program. */
function budgetsOf({ timeoutMs, memoryBytes }: ScriptJob, program: Program): Partial<Budgets> {
  const known = Object.entries(program.budgets).filter(([name]) => (budgetKeys as string[]).includes(name));
  const given = Object.fromEntries(known);
  const memoryMb = Math.max(HEAP_MB_MIN, Math.floor(memoryBytes / MiB));
  const takesLong = program.processImage !== null || callsModel(program);
  return {
    // A container or a model takes longer than a tool has unless it is said.
    ...(takesLong ? { tool_timeout_ms: Math.min(timeoutMs, TIMER_MS_MAX) } : {}),
    ...given,
    timeout_ms: Math.min(given.timeout_ms ?? TIMER_MS_MAX, timeoutMs, TIMER_MS_MAX),
    max_heap_mb: Math.min(given.max_heap_mb ?? HEAP_MB_DEFAULT, memoryMb, 2048),
  };
}

/** What a spec's author does about a tool that a run was not given. */
const ADVICE: Readonly<Record<string, readonly string[]>> = {
  "tool_npm.metadata": ["the node's operator configures a registry for npm"],
};

function endOf({ outcome, head }: RunResult): ScriptEnd {
  if (outcome.status === "unsupported") {
    return {
      reason: "unsupported_control",
      message: [`${outcome.control}: ${outcome.reason}`, ...(ADVICE[outcome.control] ?? [])].join("; "),
      detail: null,
      head,
    };
  }
  const { thrown } = outcome;
  if (thrown === null) return { reason: outcome.reason, message: null, detail: null, head };
  return {
    reason: outcome.reason,
    message: thrownSentence(thrown),
    detail: [...stackLines(thrown), ...(thrown.hint === undefined ? [] : [thrown.hint])].join("\n") || null,
    head,
  };
}
