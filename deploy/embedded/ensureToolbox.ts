import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { elfProgram } from "./elfProgram.ts";
import { engineRequest } from "./engineRequest.ts";
import type { Log } from "./log.ts";
import { toolboxContentLabel, toolboxImage, toolboxReference } from "./toolboxImage.ts";

const busyboxPaths = ["/bin/busybox", "/usr/bin/busybox"];
const inspectTimeoutMs = 10_000;
const loadTimeoutMs = 60_000;

export type ToolboxOutcome =
  | { readonly imageId: string; readonly made: boolean }
  /** One sentence: what is missing and what to do. */
  | { readonly unavailable: string };

/**
 * Sees that the engine has the local image, made from the busybox that this machine has now.
 * @param options.always makes it also when it is there
 */
export async function ensureToolbox(options: {
  dockerHost: string;
  log: Log;
  always?: boolean;
}): Promise<ToolboxOutcome> {
  const { dockerHost, log } = options;
  const found = await staticBusybox();
  if (found === null) {
    return {
      unavailable: `${toolboxReference} is made from a static busybox, and none is installed; run \`sudo apt-get install busybox-static\``,
    };
  }
  const { archive, contentHash } = toolboxImage(found.bytes, found.applets, found.architecture);
  const present = await inspectToolbox(dockerHost);
  if (present?.contentHash === contentHash && !options.always) return { imageId: present.id, made: false };
  log.info(
    `Making the local image ${toolboxReference} from ${found.path}, so that examples need no registry`,
  );
  const said = await load(dockerHost, archive);
  const loaded = await inspectToolbox(dockerHost);
  if (loaded?.contentHash === contentHash) return { imageId: loaded.id, made: true };
  return { unavailable: `the engine did not take ${toolboxReference}: ${said}` };
}

/**
 * An engine that has seen the archive's end may answer and close before it has read the rest: its answer is lost then, and
 * whether it took the image is to be looked at.
 * @returns what came of it, for people
 */
async function load(dockerHost: string, archive: Uint8Array): Promise<string> {
  try {
    const { body } = await engineRequest(dockerHost, {
      method: "POST",
      path: "/images/load?quiet=1",
      body: archive,
      timeoutMs: loadTimeoutMs,
    });
    return body.toString().slice(0, 300);
  } catch (error) {
    return (error as Error).message;
  }
}

async function inspectToolbox(
  dockerHost: string,
): Promise<{ id: string; contentHash: string | undefined } | null> {
  const path = `/images/${toolboxReference}/json`;
  const { status, body } = await engineRequest(dockerHost, {
    method: "GET",
    path,
    timeoutMs: inspectTimeoutMs,
  });
  if (status !== 200) return null;
  const image = JSON.parse(body.toString()) as {
    Id: string;
    Config?: { Labels?: Record<string, string> | null };
  };
  return { id: image.Id, contentHash: image.Config?.Labels?.[toolboxContentLabel] };
}

async function staticBusybox() {
  for (const path of busyboxPaths) {
    const bytes = await readFile(path).catch(() => null);
    const program = bytes === null ? null : elfProgram(bytes);
    if (bytes === null || program === null || !program.isStatic) continue;
    const { stdout } = await promisify(execFile)(path, ["--list"]);
    const applets = stdout.split("\n").filter((name) => /^[\w.[\]-]+$/.test(name));
    return { path, bytes, applets, architecture: program.architecture };
  }
  return null;
}
