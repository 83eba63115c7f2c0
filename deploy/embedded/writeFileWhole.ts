import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes a file so that a kill at any moment leaves the old content or the new, never a part. Mode 0600 unless
 * given.
 */
export function writeFileWhole(path: string, content: string | Uint8Array, mode = 0o600): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  writeFileSync(temporary, content, { mode, flush: true });
  renameSync(temporary, path);
}
