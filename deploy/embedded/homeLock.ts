import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Rejection } from "../../services/kernel/errors.ts";
import { tryLock } from "../bootstrap/fileLock.mjs";
import { ensureHome } from "../homeFolder.ts";

/**
 * Takes the lock of a home, which one `cazi up` holds for its life. A lock left by a kill -9 is taken over.
 * @throws Rejection `HOME_UNUSABLE`; `HOME_IN_USE` naming the process and the URL of the one that holds it
 */
export function lockHome(home: string): { release: () => void } {
  ensureHome(home);
  const outcome = tryLock(join(home, "lock"));
  if ("release" in outcome) return outcome;
  const url = readUrl(home);
  const where = url === null ? "is still starting" : `answers on ${url}`;
  throw new Rejection("HOME_IN_USE", `Cazi already runs on ${home}: process ${outcome.heldBy.pid} ${where}`, {
    hint: "Use that one, end it with Ctrl-C, or give this one a home of its own with CAZI_HOME.",
    fields: { pid: outcome.heldBy.pid, url },
  });
}

function readUrl(home: string): string | null {
  try {
    return readFileSync(join(home, "url"), "utf8").trim() || null;
  } catch {
    return null;
  }
}
