/**
 * A path that a policy names, as its file stands in the project: without `./`, doubled slashes and a slash at its end; `.` is
 * the project itself. Null for what is absolute, leads upwards, or is spelled for another system. Pure.
 */
export function projectPath(written: string): string | null {
  if (written === "" || written.startsWith("/") || written.includes("\\")) return null;
  const parts = written.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return null;
  return parts.length === 0 ? "." : parts.join("/");
}

/** Whether there is a file below it. */
export function isFolderOf(files: Readonly<Record<string, string>>, path: string): boolean {
  if (path === ".") return true;
  return Object.keys(files).some((name) => name.startsWith(`${path}/`));
}

/** A file that another one needs as a folder: both cannot stand on a disk. Null when there is none. */
export function fileAsFolder(files: Readonly<Record<string, string>>): string | null {
  return Object.keys(files).find((name) => isFolderOf(files, name)) ?? null;
}
