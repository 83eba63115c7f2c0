import { join } from "node:path";
import { Rejection } from "../../services/kernel/errors.ts";
import { tryLock } from "../bootstrap/fileLock.mjs";

/**
 * Takes what a node remembers under a home for one agent: a second one beside it, as a supervisor starts that has not waited for
 * the first, would take the first one's attempts for its own. Of two homes nobody can tell; the agents notice (`nodeState.ts`).
 * On a full disk there is no lock: what runs there has to be found again all the same.
 * @throws Rejection `HOME_IN_USE` naming the process that holds it
 */
export function lockNode(home: string, node: string): { release: () => void } {
  try {
    const outcome = tryLock(join(home, "node", node, "lock"));
    if ("release" in outcome) return outcome;
    throw new Rejection(
      "HOME_IN_USE",
      `node ${node} runs on ${home} already: process ${outcome.heldBy.pid}`,
      {
        hint: "End that one first, or give this one a home of its own with CAZI_HOME.",
        fields: { pid: outcome.heldBy.pid, url: null },
      },
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    return { release: () => undefined };
  }
}
