import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folders = ["services", "schemas", "streams", "mcp", "deploy"];

/**
 * A hash of all that a build depends on.
 * @param {string} root
 */
export function sourceHash(root) {
  const hash = createHash("sha256");
  for (const file of sourceFiles(root)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} root */
function sourceFiles(root) {
  const files = folders.flatMap((folder) => sourcesUnder(root, folder)).sort();
  return [...files, "package.json", "package-lock.json"];
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesUnder(root, folder) {
  /** @type {import("node:fs").Dirent[]} */
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourcesUnder(root, path);
    return /\.(ts|mjs|cjs|tsx)$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : [];
  });
}
