import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { isRefusal } from "../../domain/refusal.ts";
import { artifactName } from "../../domain/task/artifactName.ts";
import { artifactEntriesMax } from "../limits.ts";

/** A regular file, open; whoever gets it closes it. */
export interface FoundFile {
  readonly is: "file";
  readonly name: string;
  readonly bytes: number;
  readonly file: FileHandle;
}

/** Something that is not taken, and why, for people. */
export interface Skipped {
  readonly is: "skipped";
  readonly name: string;
  readonly why: string;
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Without waiting: to open a pipe for reading would wait for its writer. */
const OPEN_FILE = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const OPEN_FOLDER = O_RDONLY | O_NOFOLLOW | O_DIRECTORY;

interface Walk {
  readonly device: number;
  /** Entries looked at so far. */
  looked: number;
}

/**
 * The files below a folder that a container wrote into, by name. Nothing in it is believed: each part of a path is
 * opened by its name in the folder that is open already (through `/proc/self/fd`, which is `openat`), so that no link
 * put there leads elsewhere, and what was opened is looked at again.
 */
export async function* walkFolder(path: string): AsyncGenerator<FoundFile | Skipped, void> {
  const root = await open(path, OPEN_FOLDER);
  try {
    const walk: Walk = { device: (await root.stat()).dev, looked: 0 };
    yield* below(walk, root, "");
  } finally {
    await root.close();
  }
}

async function* below(
  walk: Walk,
  folder: FileHandle,
  prefix: string,
): AsyncGenerator<FoundFile | Skipped, void> {
  const here = `/proc/self/fd/${folder.fd}/`;
  // As bytes: a name need not be text.
  const entries = (await readdir(here, { encoding: "buffer" })).sort(Buffer.compare);
  for (const entry of entries) {
    if (++walk.looked > artifactEntriesMax) {
      yield { is: "skipped", name: prefix || ".", why: `there are more than ${artifactEntriesMax} names` };
      return;
    }
    const name = `${prefix}${entry.toString("utf8")}`;
    const isText = Buffer.from(entry.toString("utf8")).equals(entry);
    const checked = isText ? artifactName(name) : null;
    if (checked === null || isRefusal(checked)) {
      yield { is: "skipped", name, why: checked?.message ?? "its name is not Unicode text" };
      continue;
    }
    yield* one(walk, { path: Buffer.concat([Buffer.from(here), entry]), name });
    if (walk.looked > artifactEntriesMax) return;
  }
}

async function* one(
  walk: Walk,
  entry: { readonly path: Buffer; readonly name: string },
): AsyncGenerator<FoundFile | Skipped, void> {
  const { path, name } = entry;
  const skipped = (why: string): Skipped => ({ is: "skipped", name, why });
  try {
    // Looked at before it is opened: opening a device may do something.
    const seen = await lstat(path);
    if (seen.isSymbolicLink()) yield skipped("it is a symbolic link");
    else if (seen.isDirectory()) {
      const folder = await open(path, OPEN_FOLDER);
      try {
        const found = await folder.stat();
        if (found.dev === walk.device) yield* below(walk, folder, `${name}/`);
        else yield skipped("it is of another filesystem");
      } finally {
        await folder.close();
      }
    } else if (!seen.isFile()) yield skipped("it is not a regular file");
    else if (seen.nlink !== 1) yield skipped("it has more than one name (hard links)");
    else {
      const file = await open(path, OPEN_FILE);
      const found = await file.stat();
      if (found.isFile() && found.nlink === 1 && found.ino === seen.ino && found.dev === walk.device) {
        yield { is: "file", name, bytes: found.size, file };
      } else {
        await file.close();
        yield skipped("it changed while it was looked at");
      }
    }
  } catch (error) {
    yield skipped(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}
