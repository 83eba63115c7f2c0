import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Where system programs lie although an ordinary user's PATH may leave them out. */
export const systemFolders = ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/bin", "/bin"];

/** The first executable of that name on `path` (a PATH value) or in the system's folders, or null. */
export function findProgram(name: string, path: string): string | null {
  for (const folder of [...path.split(delimiter), ...systemFolders]) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {}
  }
  return null;
}
