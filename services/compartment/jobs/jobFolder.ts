/** Where a job lives, and what it is pinned to. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import { loadEngine } from "../engine/engineModule.ts";
import { sha256 } from "../membrane/sha256.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import { readSource, type SourceFile } from "../policy/readSource.ts";
import type { ModulePolicy } from "../turn/moduleSurface.ts";

const JOB_ID = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/;

const DEFAULT_STORE = ".cazi/agent/jobs";

/** @throws Rejection `USAGE` for an id that is no name of a folder */
export function jobFolder(store: string, jobId: string): string {
  if (!JOB_ID.test(jobId)) throw new Rejection("USAGE", "A job id has 1 to 128 of A-Z a-z 0-9 . _ : - only.");
  return join(store, jobId);
}

/** The store that a flag names; without one, the default of the working folder. */
export function storeOf(given: string | undefined, cwd: string): string {
  return resolve(cwd, given ?? DEFAULT_STORE);
}

/** SHA-256 of everything that a re-execution depends on. */
export async function pinsOf(
  config: AgentConfig,
  program: { readonly sha256: string },
  modules: ModulePolicy,
): Promise<Record<string, string>> {
  const { sha256: engine } = await loadEngine();
  const schemas = Object.entries(config.expected_events).map(
    ([kind, { path }]) => `${kind}\n${readSource(path).sha256}`,
  );
  const listed = [...modules]
    .map(([name, module]) => `${name}\n${module.sha256}\n${module.mainOf ?? ""}`)
    .sort();
  return {
    agent: program.sha256,
    config: sha256(JSON.stringify(config)),
    policy: config.policy?.sha256 ?? "none",
    modules: sha256(listed.join("\n\n")),
    engine,
    ...(schemas.length > 0 ? { "schema of its events": sha256(schemas.sort().join("\n\n")) } : {}),
  };
}

export function policySha256Now(config: AgentConfig, read: (path: string) => SourceFile): string {
  return config.policy === null ? "none" : read(config.policy.path).sha256;
}

export function readConfig(folder: string): AgentConfig {
  return JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as AgentConfig;
}

export function journalPath(folder: string): string {
  return join(folder, "journal.jsonl");
}

export function auditLogPath(folder: string, turn: number): string {
  return join(folder, "audit", `turn-${turn}.jsonl`);
}

/**
 * What ticks which died wrote of events to their logs, as the record's type and the question's number: it is there
 * already when the question is asked again, because the journal may have missed it.
 */
export function eventsOfDeadTicks(folder: string): ReadonlySet<string> {
  const audit = join(folder, "audit");
  const found = new Set<string>();
  for (const name of existsSync(audit) ? readdirSync(audit) : []) {
    const lines = readFileSync(join(audit, name), "utf8").split("\n").slice(0, -1);
    if (lines.at(-1)?.startsWith('{"type":"run_end"')) continue;
    for (const line of lines) {
      if (!/^{"type":"(event|schema_validation)"/.test(line)) continue;
      const { type, question } = JSON.parse(line) as { type: string; question?: number };
      if (question !== undefined) found.add(`${type} ${question}`);
    }
  }
  return found;
}
