/**
 * What a run is allowed and given: the one form that a policy file and the flags of the command line come to. A key is
 * the flag's name with underscores. Paths are absolute here; the names that records show keep how they were written.
 */
import type { Budgets } from "../budgets/budgets.ts";
import type { JsonObject } from "../membrane/jsonText.ts";

export interface NamedPath {
  readonly name: string;
  readonly path: string;
}

export interface AgentConfig {
  readonly agent: NamedPath | null;
  /** Specifier of the module that is the program, instead of a file. */
  readonly entry_module: string | null;
  /** Asked for; the engine has a thread of its own in any case. */
  readonly worker: boolean;
  readonly audit_log: NamedPath | null;
  readonly run_id: string | null;
  readonly context: JsonObject;
  readonly state: JsonObject;
  readonly session_file: NamedPath | null;
  readonly tools: readonly string[];
  readonly approval_required_tools: readonly string[];
  readonly approved_tools: readonly string[];
  readonly approval_log: NamedPath | null;
  readonly approval_max_age_ms: number | null;
  readonly fs_read: readonly NamedPath[];
  readonly fs_read_include: readonly string[];
  readonly fs_read_exclude: readonly string[];
  readonly fs_write: NamedPath | null;
  readonly secrets: Readonly<Record<string, string>>;
  readonly osv_fixture: NamedPath | null;
  readonly model_fixture: NamedPath | null;
  readonly model_provider: string | null;
  /** Names of variables, as in `secrets`. */
  readonly model_api_key_env: string | null;
  readonly github_token_env: string | null;
  readonly named_network_cache_dir: NamedPath | null;
  readonly named_network_cache_mode: string | null;
  readonly named_network_cache_max_age_ms: number | null;
  readonly named_network_cache_max_entries: number | null;
  readonly named_network_retry_attempts: number | null;
  readonly process_commands: Readonly<Record<string, NamedPath>>;
  readonly process_cwd: NamedPath | null;
  readonly process_env: Readonly<Record<string, string>>;
  readonly expected_events: Readonly<Record<string, NamedPath>>;
  readonly redact_fields: readonly string[];
  readonly budgets: Budgets;
  readonly modules: Readonly<Record<string, NamedPath>>;
  readonly packages: Readonly<Record<string, NamedPath>>;
  readonly package_integrity: Readonly<Record<string, string>>;
  readonly import_hooks: Readonly<Record<string, NamedPath>>;
  readonly import_hook_integrity: Readonly<Record<string, string>>;
  /** The policy file that it came from; null for flags alone. */
  readonly policy: { readonly path: string; readonly sha256: string } | null;
  /** Addresses that are the operator's, never the policy's: read once, when the run or the job begins. */
  readonly resolved: {
    readonly npm_registry: string | null;
    readonly model_url: string | null;
    /** The control plane asks the model, with a key of its own. */
    readonly model_by_plane?: true;
  };
}
