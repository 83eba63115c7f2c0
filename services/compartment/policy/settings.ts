/** Settings as they were given, by flags or by a policy file, before they are one configuration. */
import { isAbsolute, resolve } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import { type Budgets, budgetFault, budgetKeys, defaultBudgets } from "../budgets/budgets.ts";
import { type ParsedFlags, usage } from "../cli/parseFlags.ts";
import { isJsonObject, type JsonObject, plainCopy } from "../membrane/jsonText.ts";
import type { AgentConfig, NamedPath } from "./agentConfig.ts";
import { type ConfigKey, type ConfigKeyName, configKeys } from "./configKeys.ts";
import { contradiction } from "./contradiction.ts";

export interface Settings {
  readonly values: Readonly<Partial<Record<ConfigKeyName, unknown>>>;
  readonly budgets: Partial<Budgets>;
  readonly agent: NamedPath | null;
}

export function namedPath(name: string, base: string): NamedPath {
  return { name, path: isAbsolute(name) ? name : resolve(base, name) };
}

/** @throws Rejection `USAGE` for JSON that is not an object, or a budget out of its bounds */
export function settingsOfFlags(flags: ParsedFlags, cwd: string): Settings {
  const values: Partial<Record<ConfigKeyName, unknown>> = {};
  for (const [name, { flag, kind }] of Object.entries<ConfigKey>(configKeys) as [
    ConfigKeyName,
    ConfigKey,
  ][]) {
    const value = flagValue(flags, flag, kind, cwd);
    if (value !== undefined) values[name] = value;
  }
  const budgets: Partial<Record<keyof Budgets, number>> = {};
  for (const name of budgetKeys) {
    const value = flags.numbers.get(name.replaceAll("_", "-"));
    if (value === undefined) continue;
    const fault = budgetFault(name, value);
    if (fault !== null) throw usage(`--${name.replaceAll("_", "-")} ${fault}.`);
    budgets[name] = value;
  }
  const [agent] = flags.positionals;
  return { values, budgets, agent: agent === undefined ? null : namedPath(agent, cwd) };
}

function flagValue(flags: ParsedFlags, flag: string, kind: ConfigKey["kind"], cwd: string): unknown {
  const text = flags.texts.get(flag);
  const list = flags.lists.get(flag);
  const binding = flags.bindings.get(flag);
  switch (kind) {
    case "switch":
      return flags.switches.has(flag) ? true : undefined;
    case "path":
      return text === undefined ? undefined : namedPath(text, cwd);
    case "text":
      return text;
    case "count":
      return flags.numbers.get(flag);
    case "object":
      return text === undefined ? undefined : jsonObjectOf(flag, text);
    case "texts":
      return list;
    case "paths":
      return list?.map((name) => namedPath(name, cwd));
    case "texts_by_name":
      return binding && Object.fromEntries(binding);
    case "paths_by_name":
      return binding && Object.fromEntries([...binding].map(([name, path]) => [name, namedPath(path, cwd)]));
  }
}

export function jsonObjectOf(flag: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usage(`--${flag} is not valid JSON.`);
  }
  if (!isJsonObject(value)) throw usage(`--${flag} must be a JSON object.`);
  return plainCopy(value) as JsonObject;
}

/** The command line beats the policy in scalars and bindings; lists are the union of both. */
export function mergeSettings(policy: Settings, flags: Settings): Settings {
  const values: Partial<Record<ConfigKeyName, unknown>> = { ...policy.values };
  for (const [name, value] of Object.entries(flags.values) as [ConfigKeyName, unknown][]) {
    const before = values[name];
    if (Array.isArray(before)) values[name] = union(before, value as unknown[]);
    else if (configKeys[name].kind.endsWith("_by_name"))
      values[name] = { ...(before as object), ...(value as object) };
    else values[name] = value;
  }
  return {
    values,
    budgets: { ...policy.budgets, ...flags.budgets },
    agent: flags.agent ?? policy.agent,
  };
}

function union(before: readonly unknown[], more: readonly unknown[]): unknown[] {
  const seen = new Set(before.map((one) => JSON.stringify(one)));
  return [...before, ...more.filter((one) => !seen.has(JSON.stringify(one)))];
}

/**
 * One configuration, with its inner relations checked.
 * @throws Rejection `USAGE` when flags or keys contradict each other
 */
export function configOf(settings: Settings, policy: AgentConfig["policy"]): AgentConfig {
  const { values } = settings;
  const config = {
    agent: settings.agent,
    entry_module: null,
    worker: false,
    audit_log: null,
    run_id: null,
    context: {},
    state: {},
    session_file: null,
    tools: [],
    approval_required_tools: [],
    approved_tools: [],
    approval_log: null,
    approval_max_age_ms: null,
    fs_read: [],
    fs_read_include: [],
    fs_read_exclude: [],
    fs_write: null,
    secrets: {},
    osv_fixture: null,
    model_fixture: null,
    model_provider: null,
    model_api_key_env: null,
    github_token_env: null,
    named_network_cache_dir: null,
    named_network_cache_mode: null,
    named_network_cache_max_age_ms: null,
    named_network_cache_max_entries: null,
    named_network_retry_attempts: null,
    process_commands: {},
    process_cwd: null,
    process_env: {},
    expected_events: {},
    redact_fields: [],
    modules: {},
    packages: {},
    package_integrity: {},
    import_hooks: {},
    import_hook_integrity: {},
    ...values,
    budgets: { ...defaultBudgets, ...settings.budgets },
    policy,
    resolved: { npm_registry: null, model_url: null },
  } as AgentConfig;
  const fault = contradiction(config);
  if (fault !== null) throw new Rejection("USAGE", fault);
  return config;
}
