/** Reads and checks what the program may import, before it runs. After this no import touches the disk. */
import { Rejection } from "../../kernel/errors.ts";
import type { AdmittedModule, ModulePolicy } from "../turn/moduleSurface.ts";
import type { AgentConfig, NamedPath } from "./agentConfig.ts";
import { type Fingerprint, isFolder, readPackageGraph } from "./packageGraph.ts";
import { readSource } from "./readSource.ts";

/**
 * @throws Rejection `INTEGRITY_MISMATCH`, `INTEGRITY_MALFORMED`, `MODULE_NAME_REFUSED` and those of {@link readSource}
 */
export function admitModules(config: AgentConfig): ModulePolicy {
  const modules = new Map<string, AdmittedModule>();
  const add = (
    kind: AdmittedModule["kind"],
    name: string,
    path: NamedPath,
    integrity: string | undefined,
  ) => {
    if (modules.has(name)) throw new Rejection("MODULE_NAME_REFUSED", `${name} is admitted twice.`);
    if (/\p{Cc}/u.test(name) || name.startsWith("package:")) {
      throw new Rejection(
        "MODULE_NAME_REFUSED",
        "A module's name has control characters, or begins with package:.",
      );
    }
    if (kind === "package" && isFolder(path.path)) return addGraph(modules, name, path, integrity);
    const source = readSource(path.path);
    if (integrity !== undefined) checkIntegrity(name, integrity, source);
    modules.set(name, { kind, source: source.text, sha256: source.sha256, fnv1a64: source.fnv1a64 });
  };
  for (const [name, path] of Object.entries(config.modules)) add("module", name, path, undefined);
  for (const [name, path] of Object.entries(config.packages)) {
    add("package", name, path, config.package_integrity[name]);
  }
  for (const [name, path] of Object.entries(config.import_hooks)) {
    add("import_hook", name, path, config.import_hook_integrity[name]);
  }
  return modules;
}

function addGraph(
  modules: Map<string, AdmittedModule>,
  name: string,
  path: NamedPath,
  integrity: string | undefined,
): void {
  const graph = readPackageGraph(path.path);
  if (integrity !== undefined) checkIntegrity(name, integrity, graph);
  for (const [file, { text, sha256, fnv1a64 }] of graph.files) {
    const main = file === graph.main ? { mainOf: name } : {};
    modules.set(`package:${name}/${file}`, { kind: "package", source: text, sha256, fnv1a64, ...main });
  }
}

export interface Integrity {
  readonly fnv1a64: string | null;
  readonly sha256: string | null;
}

/** Reads `fnv1a64:…`, `sha256:…` or both with a comma; null for anything else. */
export function parseIntegrity(text: string): Integrity | null {
  const found: { fnv1a64: string | null; sha256: string | null } = { fnv1a64: null, sha256: null };
  for (const part of text.split(",")) {
    const match = /^(?:(fnv1a64):([0-9a-f]{16})|(sha256):([0-9a-f]{64}))$/.exec(part);
    if (match === null) return null;
    const kind = (match[1] ?? match[3]) as "fnv1a64" | "sha256";
    if (found[kind] !== null) return null;
    found[kind] = match[2] ?? match[4]!;
  }
  return found;
}

/** FNV alone does not stand against an adversary: another file with the same value is easily made. */
export function isWeak(integrity: Integrity): boolean {
  return integrity.sha256 === null;
}

function checkIntegrity(name: string, text: string, source: Fingerprint): void {
  const integrity = parseIntegrity(text);
  if (integrity === null) {
    throw new Rejection("INTEGRITY_MALFORMED", `The integrity of ${name} is not fnv1a64:… or sha256:….`);
  }
  const fits =
    (integrity.fnv1a64 === null || `fnv1a64:${integrity.fnv1a64}` === source.fnv1a64) &&
    (integrity.sha256 === null || integrity.sha256 === source.sha256);
  if (!fits) {
    throw new Rejection("INTEGRITY_MISMATCH", `${name} is not what its integrity says.`, {
      hint: `It is now ${source.fnv1a64},sha256:${source.sha256}`,
    });
  }
}
