import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder that holds package.json, whether this runs from the sources or from the bundle in dist/. Schemas
 * and migrations are read from there, so that they exist once.
 */
export const projectRoot = find(dirname(fileURLToPath(import.meta.url)));

function find(folder: string): string {
  if (existsSync(join(folder, "package.json")) && existsSync(join(folder, "migrations"))) return folder;
  const parent = dirname(folder);
  if (parent === folder)
    throw new Error("package.json not found above this file: the installation is incomplete");
  return find(parent);
}
