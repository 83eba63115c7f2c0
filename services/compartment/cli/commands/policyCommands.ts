/** `agent policy …`: a policy as data that can be checked, explained and compared before anything runs. */
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CaziError } from "../../../kernel/errors.ts";
import { plainLine } from "../../membrane/plainLine.ts";
import { admitModules } from "../../policy/admitModules.ts";
import {
  type ParsedPolicy,
  POLICY_FILE_NAME,
  type PolicyFault,
  parsePolicy,
  unconfinedPaths,
} from "../../policy/policyFile.ts";
import { readSource } from "../../policy/readSource.ts";
import { liesIn, realPlace } from "../../policy/realPlace.ts";
import { authorityCounts, nonClaims, riskOf } from "../../policy/riskOf.ts";
import { configOf } from "../../policy/settings.ts";
import { writtenOverRead } from "../../policy/writtenOverRead.ts";
import { toolManifest } from "../../tools/manifest.ts";
import type { AgentIo, RunCommand } from "../agentIo.ts";
import { EXIT } from "../exitCodes.ts";
import type { ParsedFlags } from "../parseFlags.ts";

/** The policy that a positional names: a file, or a folder with one. */
function load(
  io: AgentIo,
  name: string | undefined,
): ParsedPolicy & { readonly path: string; readonly sha256: string } {
  const given = resolve(io.cwd, name ?? ".");
  const path = existsSync(given) && statSync(given).isDirectory() ? join(given, POLICY_FILE_NAME) : given;
  const source = readSource(path);
  return { ...parsePolicy(source.text, dirname(path)), path, sha256: source.sha256 };
}

export const policyValidate: RunCommand = async (io, flags) => {
  const policy = load(io, flags.positionals[0]);
  const faults = faultsOf(policy, flags);
  const valid = faults.length === 0;
  const warnings = valid && flags.switches.has("strict") ? warningsOf(policy) : [];
  if (flags.switches.has("json")) {
    const result = {
      type: "agent_policy_validation",
      path: policy.path,
      sha256: policy.sha256,
      valid,
      faults,
    };
    io.out(`${JSON.stringify(result)}\n`);
  } else if (valid) io.out(`${policy.path} is valid.\n`);
  else for (const { pointer, message } of faults) io.out(`${plainLine(`${pointer || "/"} ${message}`)}\n`);
  if (!flags.switches.has("json")) for (const warning of warnings) io.out(`${plainLine(warning)}\n`);
  return valid ? 0 : EXIT.badData;
};

/** What is allowed, and worth a second look: a pin that does not stand against an adversary. */
function warningsOf(policy: ReturnType<typeof load>): string[] {
  return riskOf(configOf(policy.settings, null)).flatMap(({ about }) =>
    about.includes("integrity: weak") ? [about] : [],
  );
}

function faultsOf(policy: ReturnType<typeof load>, flags: ParsedFlags): PolicyFault[] {
  const strict = flags.switches.has("strict");
  const faults = policy.faults.filter(({ level }) => strict || level === "error");
  if (flags.switches.has("project-confined")) {
    const folder = dirname(policy.path);
    faults.push(...unconfinedPaths(policy.document, (path) => liesIn(folder, resolve(folder, path))));
  }
  if (faults.some(({ level }) => level === "error")) return faults;
  const error = (pointer: string, message: string) => faults.push({ pointer, message, level: "error" });
  try {
    const config = configOf(policy.settings, { path: policy.path, sha256: policy.sha256 });
    for (const tool of config.tools) {
      if (!toolManifest.some(({ name }) => name === tool)) error("/tools", `${tool} is not a tool`);
    }
    const overwritten = writtenOverRead(config, realPlace);
    if (overwritten !== null) error("", overwritten);
    if (config.agent !== null) readSource(config.agent.path);
    admitModules(config);
  } catch (fault) {
    if (!(fault instanceof CaziError)) throw fault;
    error("", fault.message);
  }
  return faults;
}

export const policyExplain: RunCommand = async (io, flags) => {
  const policy = load(io, flags.positionals[0]);
  const config = configOf(policy.settings, { path: policy.path, sha256: policy.sha256 });
  const { policy: _own, ...authority } = config;
  const explained = {
    type: "agent_policy_explanation",
    path: policy.path,
    sha256: policy.sha256,
    authority_counts: authorityCounts(config),
    authority,
    non_claims: nonClaims,
  };
  io.out(`${JSON.stringify(explained, null, flags.switches.has("json") ? 0 : 2)}\n`);
  return 0;
};

export const policyRisk: RunCommand = async (io, flags) => {
  const policy = load(io, flags.positionals[0]);
  const risks = riskOf(configOf(policy.settings, { path: policy.path, sha256: policy.sha256 }));
  if (flags.switches.has("json")) io.out(`${JSON.stringify({ type: "agent_policy_risk", risks })}\n`);
  else for (const { level, about } of risks) io.out(`${level.padEnd(7)} ${plainLine(about)}\n`);
  return 0;
};

export const policyDiff: RunCommand = async (io, flags) => {
  const [before, after] = flags.positionals.map((name) => load(io, name).document);
  const keys = [...new Set([...Object.keys(before!), ...Object.keys(after!)])].sort();
  const differences = keys
    .filter((key) => JSON.stringify(before![key]) !== JSON.stringify(after![key]))
    .map((key) => ({ key, before: before![key] ?? null, after: after![key] ?? null }));
  if (flags.switches.has("json")) {
    io.out(`${JSON.stringify({ type: "agent_policy_diff", same: differences.length === 0, differences })}\n`);
  } else {
    for (const { key, before: was, after: is } of differences) {
      io.out(`${plainLine(key)}\n  - ${JSON.stringify(was)}\n  + ${JSON.stringify(is)}\n`);
    }
  }
  return differences.length === 0 ? 0 : 1;
};
