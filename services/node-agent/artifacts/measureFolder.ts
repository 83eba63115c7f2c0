import { closeSync, constants, lstatSync, opendirSync, openSync } from "node:fs";
import { setImmediate as others } from "node:timers/promises";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const BLOCK_BYTES = 512;
/** The agent does nothing else for so long at a time. */
const TURN_MS = 4;
/** Names that are read in one call. */
const NAMES_READ = 512;

/** What a folder may grow to while its container runs. */
export interface FolderLimits {
  readonly bytes: number;
  /** Files, folders and all else: each takes an inode and a name of the disk's, however empty. */
  readonly entries: number;
  /** Folders in one another; a measure holds one open for each. */
  readonly depth: number;
}

export interface Measured {
  /** Which limit is passed, as a sentence; null when none is. */
  readonly passed: string | null;
  /** Milliseconds of processor that it took, however long it waited for one. */
  readonly cpuMs: number;
}

/**
 * What a container keeps on the disk below its folder, measured until it is too much. Counted is what is taken up, so
 * that a file with holes weighs what it holds, and one with two names half at each. Links are not followed. What changes
 * meanwhile is measured the next time; a file that is open and has no name any more is not seen.
 *
 * It asks the system directly, in turns of a few milliseconds: by way of the thread pool each name costs ten times as much,
 * and what is measured rarely grows unseen. A folder's names are counted before any is looked at.
 */
export async function measureFolder(path: string, limits: FolderLimits): Promise<Measured> {
  const measure = new Measure(limits);
  const root = openFolder(path);
  try {
    const passed = await measure.below(root, 0);
    return { passed, cpuMs: measure.cpuMs };
  } finally {
    closeSync(root);
  }
}

class Measure {
  readonly #limits: FolderLimits;
  #bytes = 0;
  #entries = 0;
  #cpuMs = 0;
  #turnAt = performance.now();
  #cpuAt = process.cpuUsage();

  constructor(limits: FolderLimits) {
    this.#limits = limits;
  }

  get cpuMs(): number {
    const { user, system } = process.cpuUsage(this.#cpuAt);
    return this.#cpuMs + (user + system) / 1000;
  }

  async below(folder: number, depth: number): Promise<string | null> {
    const { bytes, entries } = this.#limits;
    if (depth > this.#limits.depth) return `/artifacts has folders more than ${this.#limits.depth} deep`;
    const here = Buffer.from(`/proc/self/fd/${folder}/`);
    const names = await this.#namesIn(here);
    if (names === null) return `/artifacts holds more than ${entries} files`;
    for (const name of names) {
      await this.#turn();
      const path = Buffer.concat([here, name]);
      const seen = unlessGone(() => lstatSync(path));
      if (seen === null) continue;
      this.#bytes += (seen.blocks * BLOCK_BYTES) / (seen.isDirectory() ? 1 : seen.nlink);
      if (this.#bytes > bytes) return `/artifacts holds more than ${bytes} bytes`;
      if (!seen.isDirectory()) continue;
      const inner = unlessGone(() => openFolder(path));
      if (inner === null) continue;
      try {
        const passed = await this.below(inner, depth + 1);
        if (passed !== null) return passed;
      } finally {
        closeSync(inner);
      }
    }
    return null;
  }

  /** As bytes: a name need not be text. Null at the first name too many, however many more there are. */
  async #namesIn(path: Buffer): Promise<readonly Buffer[] | null> {
    const names: Buffer[] = [];
    const folder = opendirSync(path, asBytes);
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (++this.#entries > this.#limits.entries) return null;
        names.push(entry.name as unknown as Buffer);
        await this.#turn();
      }
      return names;
    } finally {
      folder.closeSync();
    }
  }

  /** Lets others have theirs. */
  async #turn(): Promise<void> {
    if (performance.now() - this.#turnAt < TURN_MS) return;
    this.#cpuMs = this.cpuMs;
    await others();
    this.#turnAt = performance.now();
    this.#cpuAt = process.cpuUsage();
  }
}

/** `buffer` is an encoding of names since Node 12, and missing in the types of this one call. */
const asBytes = { encoding: "buffer" as BufferEncoding, bufferSize: NAMES_READ };

function openFolder(path: string | Buffer): number {
  return openSync(path, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
}

/** Null for what the container removed or replaced meanwhile, or shut against an agent that is not root. */
function unlessGone<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "EACCES") return null;
    throw error;
  }
}
