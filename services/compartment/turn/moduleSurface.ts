/**
 * Imports. A name resolves only when the policy has exactly this name; no path is joined, nothing is looked up on the
 * disk at run time: what is admitted was read and checked before the turn began.
 */
import type { TurnState } from "./turnState.ts";

export interface AdmittedModule {
  readonly source: string;
  readonly sha256: string;
  readonly fnv1a64: string;
  readonly kind: "module" | "package" | "import_hook";
  /** The package of which this is the entry, when the package is a folder. */
  readonly mainOf?: string;
}

/** By name. A file of a package that is a folder stands under `package:<package>/<path>`, which no import can say. */
export type ModulePolicy = ReadonlyMap<string, AdmittedModule>;

/** The entry of each package that is a folder. */
export function packageMains(modules: ModulePolicy): Readonly<Record<string, string>> {
  const mains = [...modules].flatMap(([name, { mainOf }]) => (mainOf === undefined ? [] : [[mainOf, name]]));
  return Object.fromEntries(mains) as Record<string, string>;
}

export function answerImport(
  turn: TurnState,
  specifier: string,
): { readonly source: string } | { readonly error: string } {
  const denied = { error: `agent module denied: ${specifier}` };
  if (turn.closed) {
    turn.log.append("revocation_denial", { surface: "import", reason: "closed" });
    return denied;
  }
  turn.log.append("module_import", { specifier });
  const found = turn.grants.modules.get(specifier);
  if (found === undefined) {
    turn.log.append("module_denial", { specifier, reason: "specifier_not_admitted" });
    return denied;
  }
  if (found.kind === "import_hook") turn.log.append("import_hook_load", { specifier, sha256: found.sha256 });
  turn.log.append("module_result", {
    specifier,
    kind: found.kind,
    source_hash: found.fnv1a64,
    sha256: found.sha256,
  });
  return { source: found.source };
}
