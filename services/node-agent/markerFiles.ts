import { constants } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef } from "../../schemas/messages/node.ts";
import type { AgentLog, Marker, Markers } from "./ports.ts";
import { isMissing, syncFolder } from "./syncedFiles.ts";

/** Ends the names of finished markers. */
const SUFFIX = ".json";
/** Ends the names of room that is reserved, and of what is being written into it. */
const UNFINISHED = ".tmp";

/**
 * Keeps markers as files, one an attempt, each on the disk itself before {@link Markers.write} resolves: the
 * file, its name, and the folder.
 * @param folder made when missing; belongs to one node, whose agent this is: room that an earlier life reserved is given back
 */
export async function openMarkerFiles(folder: string, log: AgentLog): Promise<Markers> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await forgetUnfinished(folder);
  return {
    reserve: (ref) => fill(unfinished(folder, ref), RESERVED_BYTES),
    write: (marker) => writeMarker(folder, marker),
    probe: () => probeFolder(folder),
    list: () => readMarkers(folder, log),
    async remove(ref) {
      await rm(join(folder, nameOf(ref)), { force: true });
      await rm(unfinished(folder, ref), { force: true });
    },
  };
}

/** Of a life that died: nothing was started on the word of what was not finished. */
async function forgetUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.endsWith(UNFINISHED)) await rm(join(folder, name));
}

function nameOf(ref: AttemptRef): string {
  return `${ref.task}-${ref.attempt}${SUFFIX}`;
}

function unfinished(folder: string, ref: AttemptRef): string {
  return `${join(folder, nameOf(ref))}${UNFINISHED}`;
}

async function writeMarker(folder: string, marker: Marker): Promise<void> {
  const path = unfinished(folder, marker.ref);
  const text = JSON.stringify({ word: marker.notStarted === null ? "started" : "never", ...marker });
  // Not truncated first: that would give the reserved room away.
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    await file.writeFile(text);
    await file.truncate(Buffer.byteLength(text));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(path, join(folder, nameOf(marker.ref)));
  await syncFolder(folder);
}

/** Larger than any marker, whose words may be an engine's. */
const RESERVED_BYTES = 16 * 1024;
/** More than is reserved, so that a node which looks has room where one that reserves has. */
const PROBE_BYTES = 4 * RESERVED_BYTES;

async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, `probe${UNFINISHED}`);
  await fill(path, PROBE_BYTES);
  await rm(path, { force: true });
}

/** All of it, or no file. */
async function fill(path: string, bytes: number): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(Buffer.alloc(bytes));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Changes nothing: whoever looks may do so beside the agent whose folder it is. */
export async function readMarkers(folder: string, log: AgentLog): Promise<Marker[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX));
  const markers: Marker[] = [];
  for (const name of names) {
    try {
      const marker = JSON.parse(await readFile(join(folder, name), "utf8")) as Marker;
      markers.push({ ref: marker.ref, terms: marker.terms, notStarted: marker.notStarted });
    } catch (error) {
      // Written whole or not at all; an unreadable one is damage that a person must see, and starts nothing.
      if (!isMissing(error)) log.error({ error, file: join(folder, name) }, "a marker is unreadable");
    }
  }
  return markers;
}
