/** The small files of a home that the command line and the next start read. */
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileWhole } from "./embedded/writeFileWhole.ts";
import { ensureHome } from "./homeFolder.ts";

/** The first admin token: made once, mode 0600. */
export function keptToken(home: string): { token: string; file: string } {
  const file = join(home, "token");
  const token = kept(file, () => `cazi_${randomBytes(32).toString("base64url")}`);
  return { token, file };
}

/** What stored secrets are sealed under: made once, mode 0600, unless `given`. */
export function keptMasterKey(home: string, given: string): string {
  return given || kept(join(home, "master-key"), () => randomBytes(32).toString("base64"));
}

/** The name on this instance's containers: made once, unless `given`. */
export function keptInstance(home: string, given: string): string {
  return given || kept(join(home, "instance"), () => `cazi-${randomBytes(5).toString("hex")}`);
}

/** Where the API answers; the file is there while it does. */
export function writeUrl(home: string, url: string): void {
  writeFileWhole(join(home, "url"), `${url}\n`);
}

export function removeUrl(home: string): void {
  rmSync(join(home, "url"), { force: true });
}

function kept(file: string, make: () => string): string {
  try {
    const value = readFileSync(file, "utf8").trim();
    if (value !== "") return value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  // A role alone may be the first that a home is named to.
  ensureHome(dirname(file));
  const value = make();
  writeFileWhole(file, `${value}\n`);
  return value;
}
