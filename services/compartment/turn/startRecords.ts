/** What stands in a log right after `run_start`, where there is something of it. */
import type { AuditLog } from "../audit/auditLog.ts";
import type { ModulePolicy } from "./moduleSurface.ts";

/** What `--worker` asks for is always so: each of these crosses to the thread, or process, that holds the program. */
const FORWARDED = "emit callTool context state importValue close auditNote auditControls scheduler".split(
  " ",
);

export interface TurnStandpoint {
  /** It was asked for a thread of its own. */
  readonly worker: boolean;
  /** Name of the module that is the program; null for a file. */
  readonly entryModule: string | null;
}

export function recordStart(
  log: AuditLog,
  modules: ModulePolicy,
  { worker, entryModule }: TurnStandpoint,
): void {
  if (worker) log.append("worker_forwarding", { surfaces: FORWARDED });
  if (modules.size > 0) log.append("module_policy", { specifiers: [...modules.keys()] });
  const entry = entryModule === null ? undefined : modules.get(entryModule);
  if (entryModule === null || entry === undefined) return;
  log.append("module_entry", { specifier: entryModule });
  const { kind, fnv1a64, sha256 } = entry;
  log.append("module_entry_result", { specifier: entryModule, kind, source_hash: fnv1a64, sha256 });
}
