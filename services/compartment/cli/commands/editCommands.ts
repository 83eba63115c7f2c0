/** `agent add-…|remove-…|set-…|unset-…`: change a project's policy file, and pin what is added. */
import { dirname, join, relative, resolve } from "node:path";
import { Rejection } from "../../../kernel/errors.ts";
import { type Budgets, budgetFault, budgetKeys } from "../../budgets/budgets.ts";
import { writeDurably } from "../../jobs/manifest.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../membrane/jsonText.ts";
import { fingerprint } from "../../policy/packageGraph.ts";
import { POLICY_FILE_NAME, parsePolicy } from "../../policy/policyFile.ts";
import { readSource } from "../../policy/readSource.ts";
import { jsonObjectOf } from "../../policy/settings.ts";
import { toolManifest } from "../../tools/manifest.ts";
import type { AgentIo, RunCommand } from "../agentIo.ts";
import { nearest, type ParsedFlags, usage } from "../parseFlags.ts";

type Draft = Record<string, JsonValue>;
type Edit = (draft: Draft, flags: ParsedFlags, at: { readonly cwd: string; readonly folder: string }) => void;

/** Reads the policy, changes it, and writes it only if it is a policy still. */
const editing =
  (edit: Edit): RunCommand =>
  async (io, flags) => {
    const path = policyPath(io, flags);
    const folder = dirname(path);
    const draft = { ...parsePolicy(readSource(path).text, folder).document } as Draft;
    edit(draft, flags, { cwd: io.cwd, folder });
    const text = `${JSON.stringify(draft, null, 2)}\n`;
    const faults = parsePolicy(text, folder).faults.filter(({ level }) => level === "error");
    if (faults.length > 0) {
      throw new Rejection(
        "POLICY_INVALID",
        `${path} would not be valid: ${faults[0]!.pointer} ${faults[0]!.message}.`,
      );
    }
    writeDurably(path, text);
    io.out(
      flags.switches.has("json")
        ? `${JSON.stringify({ type: "agent_policy_edit", path })}\n`
        : `Changed ${path}\n`,
    );
    return 0;
  };

function policyPath(io: AgentIo, flags: ParsedFlags): string {
  const policy = flags.texts.get("policy");
  if (policy !== undefined) return resolve(io.cwd, policy);
  return join(resolve(io.cwd, flags.texts.get("project") ?? "."), POLICY_FILE_NAME);
}

export const addTool = editing((draft, { positionals: [name] }) => {
  if (!toolManifest.some((tool) => tool.name === name)) {
    throw new Rejection("TOOL_UNKNOWN", `There is no tool ${name}.`, {
      hint: "`cazi agent tool list` names them.",
    });
  }
  draft.tools = [...new Set([...((draft.tools as string[]) ?? []), name!])];
});

export const removeTool = editing((draft, { positionals: [name] }) => {
  const tools = (draft.tools as string[]) ?? [];
  if (!tools.includes(name!)) throw usage(`The policy does not grant ${name}.`);
  draft.tools = tools.filter((tool) => tool !== name);
});

/** Adds `name=path`; with an integrity key the file is pinned by both hashes as it is now. */
const addNamed = (key: string, integrityKey: string | null) =>
  editing((draft, { positionals: [binding] }, { cwd, folder }) => {
    const split = binding!.indexOf("=");
    if (split < 1 || split === binding!.length - 1) throw usage("Give name=path.");
    const [name, given] = [binding!.slice(0, split), resolve(cwd, binding!.slice(split + 1))];
    const source = key === "packages" ? fingerprint(given) : readSource(given);
    draft[key] = { ...members(draft, key), [name]: relative(folder, given) };
    if (integrityKey !== null) {
      const integrity = `${source.fnv1a64},sha256:${source.sha256}`;
      draft[integrityKey] = { ...members(draft, integrityKey), [name]: integrity };
    }
  });

const removeNamed = (key: string, integrityKey: string | null) =>
  editing((draft, { positionals: [name] }) => {
    if (!Object.hasOwn(members(draft, key), name!)) throw usage(`The policy does not admit ${name}.`);
    for (const each of [key, ...(integrityKey === null ? [] : [integrityKey])]) {
      draft[each] = Object.fromEntries(Object.entries(members(draft, each)).filter(([own]) => own !== name));
    }
  });

function members(draft: Draft, key: string): JsonObject {
  const value = draft[key];
  return value !== undefined && isJsonObject(value) ? value : {};
}

export const addModule = addNamed("modules", null);
export const removeModule = removeNamed("modules", null);
export const addPackage = addNamed("packages", "package_integrity");
export const removePackage = removeNamed("packages", "package_integrity");
export const addImportHook = addNamed("import_hooks", "import_hook_integrity");
export const removeImportHook = removeNamed("import_hooks", "import_hook_integrity");

export const setContext = editing((draft, { positionals: [json] }) => {
  draft.context = jsonObjectOf("context", json!);
});
export const unsetContext = editing((draft) => {
  delete draft.context;
});

export const setSession = editing((draft, { positionals: [path] }, { cwd, folder }) => {
  draft.session_file = relative(folder, resolve(cwd, path!));
});
export const unsetSession = editing((draft) => {
  delete draft.session_file;
});

export const setWorker = editing((draft) => {
  draft.worker = true;
});
export const unsetWorker = editing((draft) => {
  delete draft.worker;
});

export const setBudget = editing((draft, { positionals: [name, text] }) => {
  const key = budgetOf(name!);
  const value = /^[0-9]+$/.test(text!) ? Number(text) : Number.NaN;
  const fault = budgetFault(key, value);
  if (fault !== null) throw usage(`${key} ${fault}.`);
  draft.budgets = { ...members(draft, "budgets"), [key]: value };
});

export const unsetBudget = editing((draft, { positionals: [name] }) => {
  const key = budgetOf(name!);
  draft.budgets = Object.fromEntries(
    Object.entries(members(draft, "budgets")).filter(([own]) => own !== key),
  );
});

function budgetOf(name: string): keyof Budgets {
  const key = name.replaceAll("-", "_");
  if ((budgetKeys as string[]).includes(key)) return key as keyof Budgets;
  throw usage(`There is no budget ${name}.`, nearest(key, budgetKeys)?.replace("--", ""));
}
