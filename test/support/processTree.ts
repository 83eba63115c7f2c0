/** Linux' view of processes, for tests that end or stop them from outside. */
import { readdirSync, readFileSync } from "node:fs";
import { identityOf, isAlive, type ProcessIdentity } from "../../deploy/bootstrap/processIdentity.mjs";
import { waitFor } from "./waitFor.ts";

/** A process and all that descend from it now, itself first. Sessions of their own make no difference. */
export function processTree(root: number): ProcessIdentity[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree: ProcessIdentity[] = [];
  for (const queue = [root]; queue.length > 0; ) {
    const pid = queue.shift()!;
    const identity = identityOf(pid);
    if (identity !== null) tree.push(identity);
    queue.push(...(children.get(pid) ?? []));
  }
  return tree;
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

/** SIGKILL to all of them, in one go; resolves when none is left. A pid that belongs to another by now is spared. */
export async function killProcesses(processes: readonly ProcessIdentity[]): Promise<void> {
  for (const one of processes) {
    if (!isAlive(one)) continue;
    try {
      process.kill(one.pid, "SIGKILL");
    } catch {
      // Ended in between.
    }
  }
  await waitFor("the processes to be gone", () => !processes.some(isAlive));
}

/** Resident memory, in bytes. */
export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) * 1024;
}
