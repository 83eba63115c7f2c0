/** Every key of a run's configuration, once: how a policy file has it, which flag sets it, what the help says. */
import { budgetKeys, budgetRules } from "../budgets/budgets.ts";
import type { FlagRule, FlagTable } from "../cli/parseFlags.ts";

export type ConfigKind =
  | "switch"
  | "path"
  | "text"
  | "count"
  | "object"
  | "texts"
  | "paths"
  | "texts_by_name"
  | "paths_by_name";

export interface ConfigKey {
  readonly kind: ConfigKind;
  /** The flag is singular where the key is a list. */
  readonly flag: string;
  readonly group: string;
  readonly form: string;
  readonly about: string;
  readonly fallback?: string;
}

const key = (
  kind: ConfigKind,
  flag: string,
  group: string,
  form: string,
  about: string,
  fallback?: string,
): ConfigKey => ({ kind, flag, group, form, about, ...(fallback === undefined ? {} : { fallback }) });

const identity = "Identity and output";
const tools = "Tools and approval";
const inputs = "Tool inputs";
const modules = "Modules";
const context = "Context, state and session";

export const configKeys = {
  audit_log: key(
    "path",
    "audit-log",
    identity,
    "<file>",
    "the audit log",
    ".cazi/agent/audit/<run id>.jsonl",
  ),
  run_id: key(
    "text",
    "run-id",
    identity,
    "<id>",
    "1 to 128 of A-Z a-z 0-9 . _ : / -",
    "stem of the log or agent",
  ),
  worker: key("switch", "worker", identity, "", "host the program in a thread of its own", "always so"),
  expected_events: key(
    "paths_by_name",
    "expect-event",
    identity,
    "<kind=schema>",
    "promise events of a JSON schema",
  ),
  redact_fields: key("texts", "redact-field", identity, "<name>", "redact members of this name in records"),
  tools: key("texts", "tool", tools, "<name>", "grant a tool"),
  approval_required_tools: key("texts", "require-approval", tools, "<name>", "hold each call of a tool"),
  approved_tools: key("texts", "approve-tool", tools, "<name>", "approve a held tool for this run"),
  approval_log: key("path", "approval-log", tools, "<file>", "where decisions are looked up"),
  approval_max_age_ms: key("count", "approval-max-age-ms", tools, "<n>", "older decisions are stale"),
  fs_read: key("paths", "fs-read", inputs, "<path>", "a file or folder that may be read"),
  fs_read_include: key(
    "texts",
    "fs-read-include",
    inputs,
    "<glob>",
    "only these, relative to their --fs-read",
  ),
  fs_read_exclude: key("texts", "fs-read-exclude", inputs, "<glob>", "not these"),
  fs_write: key("path", "fs-write", inputs, "<folder>", "where artifacts may be created"),
  secrets: key("texts_by_name", "secret", inputs, "<tool=ENV>", "a secret of one tool, by variable name"),
  osv_fixture: key("path", "osv-fixture", inputs, "<file>", "answer osv.query from this file"),
  model_fixture: key("path", "model-fixture", inputs, "<file>", "answer model.call from this file"),
  model_provider: key("text", "model-provider", inputs, "<name>", "openai.responses, for model.call"),
  model_api_key_env: key("text", "model-api-key-env", inputs, "<ENV>", "its key, by variable name"),
  github_token_env: key(
    "text",
    "github-token-env",
    inputs,
    "<ENV>",
    "the token of github.*, by variable name",
  ),
  named_network_cache_dir: key(
    "path",
    "named-network-cache-dir",
    inputs,
    "<folder>",
    "keep answers of network tools",
  ),
  named_network_cache_mode: key(
    "text",
    "named-network-cache-mode",
    inputs,
    "<mode>",
    "read-through, or offline: never the network",
    "read-through",
  ),
  named_network_cache_max_age_ms: key(
    "count",
    "named-network-cache-max-age-ms",
    inputs,
    "<n>",
    "older answers are stale",
  ),
  named_network_cache_max_entries: key(
    "count",
    "named-network-cache-max-entries",
    inputs,
    "<n>",
    "more than these are removed, oldest first",
    "1024",
  ),
  named_network_retry_attempts: key(
    "count",
    "named-network-retry-attempts",
    inputs,
    "<0..3>",
    "further tries of a live request",
    "0",
  ),
  process_commands: key(
    "paths_by_name",
    "process-command",
    inputs,
    "<name=path>",
    "a command that process may run",
  ),
  process_cwd: key("path", "process-cwd", inputs, "<folder>", "where commands run"),
  process_env: key("texts_by_name", "process-env", inputs, "<KEY=value>", "a variable that commands get"),
  entry_module: key("text", "entry-module", modules, "<name>", "run this module instead of a file"),
  modules: key("paths_by_name", "module", modules, "<name=path>", "admit a module"),
  packages: key("paths_by_name", "package", modules, "<name=path>", "admit a package (needs its integrity)"),
  package_integrity: key(
    "texts_by_name",
    "package-integrity",
    modules,
    "<name=hash>",
    "fnv1a64:… or sha256:… or both",
  ),
  import_hooks: key("paths_by_name", "import-hook", modules, "<name=path>", "answer an import with a file"),
  import_hook_integrity: key(
    "texts_by_name",
    "import-hook-integrity",
    modules,
    "<name=hash>",
    "as for packages",
  ),
  context: key("object", "context-json", context, "<json>", "what the program sees as `context`", "{}"),
  state: key("object", "state-json", context, "<json>", "the state at the start", "{}"),
  session_file: key("path", "session-file", context, "<file>", "keeps the turn id between runs"),
} as const satisfies Record<string, ConfigKey>;

export type ConfigKeyName = keyof typeof configKeys;

const flagKinds: { readonly [Kind in ConfigKind]: FlagRule["kind"] } = {
  switch: "switch",
  path: "text",
  text: "text",
  count: "number",
  object: "text",
  texts: "list",
  paths: "list",
  texts_by_name: "binding",
  paths_by_name: "binding",
};

/** The flags of `run`, policy keys and budgets included. */
export const runFlags: FlagTable = {
  project: {
    kind: "text",
    group: identity,
    form: "<folder>",
    about: "take agent-policy.json of this folder",
  },
  policy: { kind: "text", group: identity, form: "<file>", about: "take this policy; flags beat it" },
  ...Object.fromEntries(
    Object.values<ConfigKey>(configKeys).map(({ flag, kind, form, ...rest }) => [
      flag,
      { ...rest, ...(form === "" ? {} : { form }), kind: flagKinds[kind] },
    ]),
  ),
  ...Object.fromEntries(
    budgetKeys.map((name) => [
      name.replaceAll("_", "-"),
      {
        kind: "number",
        group: "Budgets",
        form: "<n>",
        about: budgetRules[name].about,
        fallback: String(budgetRules[name].fallback ?? "not limited"),
      } satisfies FlagRule,
    ]),
  ),
  json: { kind: "switch", group: "Form", about: "one JSON object on standard output" },
  human: { kind: "switch", group: "Form", about: "events and a summary, as text", fallback: "on" },
};
