/** A file that a run would write and that something else of the same run is, as a sentence; null when there is none. Pure. */
import { resolve } from "node:path";
import type { AgentConfig, NamedPath } from "./agentConfig.ts";

/** @param placeOf where a path leads; by its text alone unless links are to be followed */
export function writtenOverRead(
  config: AgentConfig,
  placeOf: (path: string) => string | null = (path) => resolve(path),
): string | null {
  const taken = new Map<string, string>();
  for (const [what, path] of readBy(config)) taken.set(placeOf(path) ?? path, what);
  for (const [what, named] of [
    ["audit_log", config.audit_log],
    ["approval_log", config.approval_log],
    ["session_file", config.session_file],
  ] as const) {
    if (named === null) continue;
    const place = placeOf(named.path) ?? named.path;
    const other = taken.get(place);
    if (other !== undefined) return `${what} and ${other} are the same file, ${named.path}.`;
    taken.set(place, what);
  }
  return null;
}

function* readBy(config: AgentConfig): Generator<readonly [what: string, path: string]> {
  if (config.policy !== null) yield ["the policy", config.policy.path];
  const { agent, osv_fixture, model_fixture } = config;
  for (const [what, one] of Object.entries({ agent, osv_fixture, model_fixture })) {
    if (one !== null) yield [what, one.path];
  }
  const { modules, packages, import_hooks, expected_events, process_commands } = config;
  const named: Record<string, Readonly<Record<string, NamedPath>>> = {
    modules,
    packages,
    import_hooks,
    expected_events,
    process_commands,
  };
  for (const [what, files] of Object.entries(named)) {
    for (const [name, { path }] of Object.entries(files)) yield [`${what} ${name}`, path];
  }
}
