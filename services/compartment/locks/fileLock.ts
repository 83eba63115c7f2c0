/**
 * One holder of a file lock among the processes of this machine. A holder that died is noticed by its process id and
 * the start time of that process, so that a reused id is no holder.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";

/** Taking over takes microseconds; a guard that is older was left by a crash in the middle of it. */
const TAKEOVER_STALE_MS = 10_000;

/** Takes the lock and gives its release; null while another living process has it. */
export function takeFileLock(path: string): (() => void) | null {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (!removeIfStale(path)) return null;
    }
  }
  return null;
}

/** Two processes that both find the same dead holder must not both remove: the second would remove the first's lock. */
function removeIfStale(path: string): boolean {
  const guard = `${path}.takeover`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? 0) > TAKEOVER_STALE_MS)
      rmdirSync(guard);
    return false;
  }
  try {
    if (holderLives(path)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    rmdirSync(guard);
  }
}

function holderLives(path: string): boolean {
  try {
    const { pid, started } = JSON.parse(readFileSync(path, "utf8")) as {
      pid: number;
      started: string | null;
    };
    process.kill(pid, 0);
    return started === startOf(pid);
  } catch (error) {
    if (codeOf(error) === "EPERM") return true;
    // Just created and not yet written: its writer lives.
    if (error instanceof SyntaxError)
      return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 1000;
    return false;
  }
}

/** Start time of a process in clock ticks since boot; null where the system does not tell. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
