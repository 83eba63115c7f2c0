import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, rename, unlink } from "node:fs/promises";
import { fillTemplate } from "../../domain/sinks/template.ts";
import type { OutputSink } from "../../domain/spec/outputSinks.ts";
import { type SinkOfTask, templateValues } from "../attempt.ts";
import { type Content, type ContentPorts, contentOf } from "../content.ts";
import { delivered, failed, type Outcome } from "../outcome.ts";

/** A folder and nothing else: a link in its place is an error. */
const A_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A new file and nothing else. */
const A_NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Writes the output to `<base>/<tenant>/<task>/<file name>`: under another name, to disk, and then renamed, so that a
 * file of that name is whole. It is written once: what is there already is an earlier try's.
 *
 * Each folder is opened inside the one that is open already, and no link is followed, so that nothing that others put
 * below the base leads out of it.
 * @param ports.base an absolute path; empty where there are no file sinks
 */
export async function writeSinkFile(
  ports: ContentPorts & { readonly base: string; readonly process: string },
  of: SinkOfTask,
  sink: Extract<OutputSink, { type: "file" }>,
): Promise<Outcome> {
  if (ports.base === "") return failed("CAZI_SINK_FILES is not set where sinks run", { final: true });
  const name = fillTemplate(sink.file_name, templateValues(of));
  const receipt = delivered(`${of.tenant}/${of.task}/${name}`);
  const folders: FileHandle[] = [];
  try {
    await mkdir(ports.base, { recursive: true, mode: 0o755 });
    // The base itself may be a link: it is the operator's.
    folders.push(await open(ports.base, constants.O_RDONLY | constants.O_DIRECTORY));
    for (const part of [of.tenant, of.task]) folders.push(await openFolder(folders.at(-1)!, part));
    const folder = folders.at(-1)!;
    const there = await lstat(within(folder, name)).catch(() => null);
    if (there !== null)
      return there.isFile() ? receipt : failed(`${name} is there and is no file`, { final: true });
    await removeLeft(folder, name);
    await writeWhole(folder, { name, temporary: `.${name}.${ports.process}` }, await contentOf(ports, of));
    // The names of new folders are kept by the folders that they are in.
    for (const one of folders.reverse()) await one.sync();
    return receipt;
  } finally {
    await Promise.all(folders.map((one) => one.close()));
  }
}

async function openFolder(inside: FileHandle, name: string): Promise<FileHandle> {
  await mkdir(within(inside, name), { mode: 0o755 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return open(within(inside, name), A_FOLDER);
}

/** What a try that was killed had begun. */
async function removeLeft(folder: FileHandle, name: string): Promise<void> {
  const left = (await readdir(within(folder, "."))).filter((one) => one.startsWith(`.${name}.`));
  await Promise.all(left.map((one) => unlink(within(folder, one))));
}

async function writeWhole(
  folder: FileHandle,
  { name, temporary }: { readonly name: string; readonly temporary: string },
  content: Content,
): Promise<void> {
  const file = await open(within(folder, temporary), A_NEW_FILE, 0o644);
  try {
    for await (const part of content.bytes()) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(within(folder, temporary), within(folder, name));
}

/** A name inside of a folder that is open, whatever has become of the folder's own name. */
function within(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}
