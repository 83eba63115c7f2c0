import { readdirSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { whatIsFull } from "../../control-plane/submit/storageRoom.ts";
import { masterKeyRow } from "./identityRows.ts";
import { type Row, rowOf } from "./row.ts";
import { diskRow } from "./runningRows.ts";

/** The home's disk, and who may read its secrets. */
export async function lookAtHome(home: string, masterKeyGiven: boolean): Promise<Row[]> {
  const place = existing(home);
  const disk = await statfs(place);
  const room = { usedBytes: (disk.blocks - disk.bfree) * disk.bsize, freeBytes: disk.bavail * disk.bsize };
  return [
    diskRow({ path: place, ...room }, whatIsFull({ disk: room, streams: [] })),
    secretsRow(home),
    masterRow(home, masterKeyGiven),
  ];
}

/** A file of secrets, and its mode; null for one that is not there. */
export interface SecretFile {
  readonly path: string;
  readonly mode: number | null;
}

/** Pure. */
export function homeRow(folderMode: number | null, secrets: readonly SecretFile[]): Row {
  if (folderMode === null) return rowOf("home", "unknown", "not looked at: there is no home yet");
  const readable = secrets.filter(({ mode }) => mode !== null && (mode & 0o077) !== 0);
  if (readable.length > 0) {
    const paths = readable.map(({ path }) => path).join(", ");
    return rowOf(
      "home",
      "fail",
      `others can read ${paths}`,
      `Run \`chmod 600 ${paths}\`, and make the token anew: delete it and start Cazi.`,
    );
  }
  if ((folderMode & 0o077) === 0)
    return rowOf("home", "ok", "it, its token and its keys are its user's alone");
  return rowOf("home", "ok", "its token and its keys are their user's alone; others see the folder's names");
}

function masterRow(home: string, given: boolean): Row {
  const path = join(home, "master-key");
  return masterKeyRow(given ? "given" : modeOf(path) === null ? "none" : "file", path);
}

function secretsRow(home: string): Row {
  const keys = join(home, "nats", "keys");
  const files = [
    join(home, "token"),
    join(home, "master-key"),
    ...namesIn(keys).map((name) => join(keys, name)),
  ];
  return homeRow(
    modeOf(home),
    files.map((path) => ({ path, mode: modeOf(path) })),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function modeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? null;
}

/** The home, or the nearest folder above it that is there. */
function existing(path: string): string {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  const parent = join(path, "..");
  return parent === path ? path : existing(parent);
}
