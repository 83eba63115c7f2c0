import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempHome {
  readonly path: string;
  remove(): void;
}

/** A fresh folder for one test's state. */
export function tempHome(under = tmpdir()): TempHome {
  const path = mkdtempSync(join(under, "cazi-test-"));
  return {
    path,
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** For servers that a test starts: what they say is in their log files. */
export const quietLog = { info: () => {}, warn: () => {} };
