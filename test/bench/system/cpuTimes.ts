import { readdirSync, readFileSync } from "node:fs";

/** Ticks of /proc: 100 a second on every Linux that Node runs on. */
const msPerTick = 10;

/** A process to be watched. A native Postgres has a process a connection; they count with it, living or not. */
export interface WatchedProcess {
  readonly pid: number;
  readonly withChildren: boolean;
}

export type CpuTimes = Readonly<Record<string, number>>;

/** CPU time used so far by each, in milliseconds. */
export function cpuTimes(processes: Readonly<Record<string, WatchedProcess>>): CpuTimes {
  return Object.fromEntries(Object.entries(processes).map(([name, one]) => [name, usedMs(one)]));
}

/** What each used between two readings, per task. */
export function cpuPerTask(before: CpuTimes, after: CpuTimes, tasks: number): CpuTimes {
  return Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / tasks]),
  );
}

function usedMs({ pid, withChildren }: WatchedProcess): number {
  const own = readStat(pid);
  if (own === null) return 0;
  if (!withChildren) return own.usedMs;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((one) => one?.parent === pid);
  return children.reduce((sum, one) => sum + one!.usedMs, own.usedMs + own.buriedMs);
}

function readStat(pid: number): { parent: number; usedMs: number; buriedMs: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name may hold spaces and brackets: fields are counted from the last bracket.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number) => fields[index]!;
    return {
      parent: at(1),
      usedMs: (at(11) + at(12)) * msPerTick,
      buriedMs: (at(13) + at(14)) * msPerTick,
    };
  } catch {
    return null;
  }
}
