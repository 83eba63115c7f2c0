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
}
