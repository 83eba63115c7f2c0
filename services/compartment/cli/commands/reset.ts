/**
 * `agent reset`: puts what runs left behind (logs, jobs, the session) aside, so that the project is as new. Nothing is
 * deleted: `--rollback` puts the newest of it back.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Rejection } from "../../../kernel/errors.ts";
import { writeDurably } from "../../jobs/manifest.ts";
import { takeFileLock } from "../../locks/fileLock.ts";
import { POLICY_FILE_NAME, parsePolicy } from "../../policy/policyFile.ts";
import { readSource } from "../../policy/readSource.ts";
import type { RunCommand } from "../agentIo.ts";
import { usage } from "../parseFlags.ts";

interface ResetRecord {
  readonly type: "product_reset";
  readonly schema_version: 1;
  readonly at_ms: number;
  /** Paths relative to the project's folder; here they stand under the same names. */
  readonly items: readonly string[];
}

export const reset: RunCommand = async (io, flags) => {
  const [dryRun, rollback] = [flags.switches.has("dry-run"), flags.switches.has("rollback")];
  if (dryRun && rollback) throw usage("Give --dry-run or --rollback, not both.");
  const base = resolve(io.cwd, flags.texts.get("project") ?? flags.positionals[0] ?? ".");
  const done = rollback ? putBack(base) : putAside(base, io.clock.now(), dryRun);
  const facts = {
    type: "agent_reset",
    action: rollback ? "rollback" : dryRun ? "dry_run" : "reset",
    ...done,
  };
  if (flags.switches.has("json")) io.out(`${JSON.stringify(facts)}\n`);
  else {
    for (const item of done.items) io.out(`${item}\n`);
    if (done.items.length === 0) io.out("There is nothing to put aside.\n");
    else if (!dryRun && !rollback)
      io.err(`Put aside in ${done.kept}; back with: cazi agent reset --rollback\n`);
  }
  return 0;
};

const JOBS = ".cazi/agent/jobs";

function asideFolder(base: string): string {
  return join(base, ".cazi/agent-reset");
}

function putAside(base: string, nowMs: number, dryRun: boolean) {
  const items = [".cazi/agent/audit", JOBS, ...sessionOf(base)].filter((item) =>
    existsSync(join(base, item)),
  );
  if (dryRun || items.length === 0) return { items, kept: null };
  const unlock = lockJobs(join(base, JOBS));
  try {
    const kept = join(asideFolder(base), String(nowMs));
    mkdirSync(kept, { recursive: true });
    // First the record of what is about to move: a reset that dies in the middle is rolled back like a whole one.
    const record: ResetRecord = { type: "product_reset", schema_version: 1, at_ms: nowMs, items };
    writeDurably(join(kept, "reset.json"), `${JSON.stringify(record)}\n`);
    for (const item of items) move(join(base, item), join(kept, item));
    // The locks moved with their folders.
    const jobs = join(kept, JOBS);
    for (const name of existsSync(jobs) ? readdirSync(jobs) : [])
      rmSync(join(jobs, name, "lock"), { force: true });
    return { items, kept };
  } finally {
    unlock();
  }
}

function sessionOf(base: string): string[] {
  const policy = join(base, POLICY_FILE_NAME);
  if (!existsSync(policy)) return [];
  const session = parsePolicy(readSource(policy).text, base).settings.values.session_file;
  const path = session === undefined ? null : relative(base, (session as { readonly path: string }).path);
  return path === null || path.startsWith("..") ? [] : [path];
}

/** A job that a living process works on is not moved from under it. */
function lockJobs(jobs: string): () => void {
  const locks: (() => void)[] = [];
  const unlock = () => {
    for (const each of locks.splice(0)) each();
  };
  for (const name of existsSync(jobs) ? readdirSync(jobs) : []) {
    const lock = takeFileLock(join(jobs, name, "lock"));
    if (lock === null) {
      unlock();
      throw new Rejection("JOB_BUSY", `Another process is at work on the job ${name}.`);
    }
    locks.push(lock);
  }
  return unlock;
}

function putBack(base: string) {
  const aside = asideFolder(base);
  const newest = (existsSync(aside) ? readdirSync(aside) : []).sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) {
    throw new Rejection("INPUT_UNREADABLE", `Nothing of ${base} was put aside.`);
  }
  const kept = join(aside, newest);
  const { items } = JSON.parse(readFileSync(join(kept, "reset.json"), "utf8")) as ResetRecord;
  const moved = items.filter((item) => existsSync(join(kept, item)));
  const there = moved.find((item) => existsSync(join(base, item)));
  if (there !== undefined) {
    throw new Rejection("PROJECT_EXISTS", `${join(base, there)} is there already; nothing was put back.`, {
      hint: "Put what is there now aside first: move it away by hand.",
    });
  }
  for (const item of moved) move(join(kept, item), join(base, item));
  rmSync(kept, { recursive: true });
  return { items: moved, kept };
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}
