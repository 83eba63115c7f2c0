import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef } from "../../schemas/messages/node.ts";
import type { AgentLog, Marker, Markers } from "./ports.ts";
import { isMissing, syncFolder } from "./syncedFiles.ts";

/** Ends the names of finished markers; what is still being written has another and is ignored. */
const SUFFIX = ".json";

/**
 * Keeps markers as files, one an attempt, each on the disk itself before {@link Markers.write} resolves: the
 * file, its name, and the folder.
 * @param folder made when missing; belongs to one node
 */
export async function openMarkerFiles(folder: string, log: AgentLog): Promise<Markers> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    write: (marker) => writeMarker(folder, marker),
    probe: () => probeFolder(folder),
    list: () => listMarkers(folder, log),
    remove: (ref) => rm(join(folder, nameOf(ref)), { force: true }),
  };
}

function nameOf(ref: AttemptRef): string {
  return `${ref.task}-${ref.attempt}${SUFFIX}`;
}

async function writeMarker(folder: string, marker: Marker): Promise<void> {
  const path = join(folder, nameOf(marker.ref));
  const file = await open(`${path}.tmp`, "w", 0o600);
  try {
    await file.writeFile(
      JSON.stringify({ word: marker.notStarted === null ? "started" : "never", ...marker }),
    );
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
  await syncFolder(folder);
}

/** Larger than any marker. */
const PROBE_BYTES = 64 * 1024;

async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, "probe.tmp");
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(Buffer.alloc(PROBE_BYTES));
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

async function listMarkers(folder: string, log: AgentLog): Promise<Marker[]> {
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
