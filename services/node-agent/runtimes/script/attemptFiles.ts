/**
 * What is on disk of each script's attempt, one folder each, so that a later life of the agent knows what ran:
 * `attempt.json` (made), `started`, `exit.json` (over), and the output.
 */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef } from "../../../../schemas/messages/node.ts";
import { removeTree } from "../../artifacts/artifactFolders.ts";
import type { AttemptTerms, ExitFacts } from "../../ports.ts";
import { readIfThere } from "../../syncedFiles.ts";

export interface FoundScript {
  readonly ref: AttemptRef;
  readonly terms: AttemptTerms;
  readonly folder: string;
  /** Null: it was made and never started. */
  readonly startedAt: number | null;
  /** Null with a start: the agent died while it ran, and it died with the agent. */
  readonly exit: ExitFacts | null;
}

export interface AttemptFiles {
  folderOf(ref: AttemptRef): string;
  create(ref: AttemptRef, terms: AttemptTerms): Promise<void>;
  started(ref: AttemptRef, atMs: number): Promise<void>;
  exited(ref: AttemptRef, exit: ExitFacts): Promise<void>;
  list(): Promise<readonly FoundScript[]>;
  remove(ref: AttemptRef): Promise<void>;
}

/** @param root made when missing; belongs to one node */
export async function openAttemptFiles(root: string): Promise<AttemptFiles> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const folderOf = (ref: AttemptRef) => join(root, `${ref.task}-${ref.attempt}`);
  return {
    folderOf,
    async create(ref, terms) {
      await mkdir(folderOf(ref), { recursive: true, mode: 0o700 });
      await replace(join(folderOf(ref), "attempt.json"), JSON.stringify({ ref, terms }));
    },
    started: (ref, atMs) => replace(join(folderOf(ref), "started"), String(atMs)),
    exited: (ref, exit) => replace(join(folderOf(ref), "exit.json"), JSON.stringify(exit)),
    async list() {
      const found = await Promise.all((await readdir(root)).map((name) => read(join(root, name))));
      return found.filter((one) => one !== null);
    },
    remove: (ref) => removeTree(folderOf(ref)),
  };
}

/** Whole or not at all. Not synced: after a power cut the marker, which is, says that it may have run. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp`, text, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

async function read(folder: string): Promise<FoundScript | null> {
  try {
    const { ref, terms } = JSON.parse(await readFile(join(folder, "attempt.json"), "utf8"));
    const [started, exit] = await Promise.all([
      readIfThere(join(folder, "started")),
      readIfThere(join(folder, "exit.json")),
    ]);
    return {
      ref,
      terms,
      folder,
      startedAt: started === null ? null : Number(started),
      exit: exit === null ? null : (JSON.parse(exit) as ExitFacts),
    };
  } catch {
    // Not even made to its end: nothing of it ran, and it is made anew if it is granted again.
    return null;
  }
}
