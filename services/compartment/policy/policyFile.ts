/** A policy file: the whole authority of a run as reviewed data. Parsing is pure; faults are listed, not thrown. */
import { isAbsolute } from "node:path";
import { type Budgets, budgetFault, budgetKeys } from "../budgets/budgets.ts";
import { isJsonObject, type JsonObject, type JsonValue, plainCopy } from "../membrane/jsonText.ts";
import { type ConfigKey, type ConfigKeyName, configKeys } from "./configKeys.ts";
import { duplicateKeys } from "./duplicateKeys.ts";
import { namedPath, type Settings } from "./settings.ts";

export const POLICY_FILE_NAME = "agent-policy.json";

export interface PolicyFault {
  /** JSON Pointer. */
  readonly pointer: string;
  readonly message: string;
  /** `strict` faults are errors under --strict only. */
  readonly level: "error" | "strict";
}

export interface ParsedPolicy {
  readonly settings: Settings;
  readonly faults: readonly PolicyFault[];
  readonly document: JsonObject;
}

const ownKeys = new Set(["schema_version", "profile", "agent", "budgets"]);

/** @param base folder that relative paths start from: the one of the file */
export function parsePolicy(text: string, base: string): ParsedPolicy {
  const faults: PolicyFault[] = [];
  const fault = (pointer: string, message: string, level: PolicyFault["level"] = "error") =>
    faults.push({ pointer, message, level });
  const document = documentOf(text, fault);
  for (const pointer of duplicateKeys(text)) fault(pointer, "stands twice", "strict");
  if (document.schema_version !== 1) fault("/schema_version", "must be the number 1");
  if (typeof document.agent !== "string" && document.entry_module === undefined) {
    fault("/agent", "must name the program's file");
  }
  const values: Partial<Record<ConfigKeyName, unknown>> = {};
  for (const [name, value] of Object.entries(document)) {
    if (ownKeys.has(name)) continue;
    if (!Object.hasOwn(configKeys, name)) {
      fault(`/${name}`, "is not a key of a policy", "strict");
      continue;
    }
    const { kind } = configKeys[name as ConfigKeyName];
    const wrong = shapeFault(kind, value);
    if (wrong !== null) fault(`/${name}`, wrong);
    else values[name as ConfigKeyName] = settingOf(kind, value, base);
  }
  const agent = typeof document.agent === "string" ? namedPath(document.agent, base) : null;
  return { settings: { values, budgets: budgetsOf(document.budgets, fault), agent }, faults, document };
}

type AddFault = (pointer: string, message: string, level?: PolicyFault["level"]) => void;

function documentOf(text: string, fault: AddFault): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    fault("", "is not valid JSON");
    return {};
  }
  if (isJsonObject(value)) return plainCopy(value) as JsonObject;
  fault("", "must be an object");
  return {};
}

function budgetsOf(value: JsonValue | undefined, fault: AddFault): Partial<Budgets> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    fault("/budgets", "must be an object");
    return {};
  }
  const budgets: Partial<Record<keyof Budgets, number>> = {};
  for (const [name, amount] of Object.entries(value)) {
    if (!(budgetKeys as string[]).includes(name)) {
      fault(`/budgets/${name}`, "is not a budget", "strict");
      continue;
    }
    const wrong = budgetFault(name as keyof Budgets, amount);
    if (wrong !== null) fault(`/budgets/${name}`, wrong);
    else budgets[name as keyof Budgets] = amount as number;
  }
  return budgets;
}

function shapeFault(kind: ConfigKey["kind"], value: JsonValue): string | null {
  const isText = (one: unknown) => typeof one === "string" && one !== "";
  switch (kind) {
    case "switch":
      return typeof value === "boolean" ? null : "must be true or false";
    case "path":
    case "text":
      return isText(value) ? null : "must be a text";
    case "count":
      return typeof value === "number" && Number.isInteger(value) && value >= 0
        ? null
        : "must be a whole number";
    case "object":
      return isJsonObject(value) ? null : "must be an object";
    case "texts":
    case "paths":
      return Array.isArray(value) && value.every(isText) ? null : "must be a list of texts";
    case "texts_by_name":
    case "paths_by_name":
      return isJsonObject(value) && Object.values(value).every(isText) ? null : "must be an object of texts";
  }
}

function settingOf(kind: ConfigKey["kind"], value: JsonValue, base: string): unknown {
  switch (kind) {
    case "path":
      return namedPath(value as string, base);
    case "paths":
      return (value as string[]).map((name) => namedPath(name, base));
    case "paths_by_name":
      return Object.fromEntries(
        Object.entries(value as Record<string, string>).map(([name, path]) => [name, namedPath(path, base)]),
      );
    default:
      return value;
  }
}

/**
 * Paths that lead out of the project's folder, or would on another machine.
 * @param liesIn whether a path of the policy really lies in the folder, links followed
 */
export function unconfinedPaths(document: JsonObject, liesIn: (path: string) => boolean): PolicyFault[] {
  return pathsOf(document).flatMap(({ pointer, path }) => {
    const error = (message: string): PolicyFault[] => [{ pointer, message, level: "error" }];
    if (isAbsolute(path) || path.split(/[/\\]/).includes("..")) return error("leaves the project's folder");
    return liesIn(path) ? [] : error("leaves the project's folder by a symbolic link");
  });
}

function pathsOf(document: JsonObject): { readonly pointer: string; readonly path: string }[] {
  const named: [pointer: string, path: JsonValue | undefined][] = [["/agent", document.agent]];
  for (const [name, { kind }] of Object.entries<ConfigKey>(configKeys)) {
    const value = document[name];
    if (kind === "path") named.push([`/${name}`, value]);
    const isMany =
      (kind === "paths" && Array.isArray(value)) || (kind === "paths_by_name" && isMember(value));
    if (!isMany) continue;
    for (const [member, path] of Object.entries(value as object)) named.push([`/${name}/${member}`, path]);
  }
  return named.flatMap(([pointer, path]) => (typeof path === "string" ? [{ pointer, path }] : []));
}

function isMember(value: JsonValue | undefined): boolean {
  return value !== undefined && isJsonObject(value);
}
