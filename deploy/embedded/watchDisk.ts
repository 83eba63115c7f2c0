import { statfs } from "node:fs/promises";
import { diskEpisode } from "./diskEpisode.ts";
import type { KeptServer } from "./keepRunning.ts";
import type { Log } from "./log.ts";

const lookMs = 1_000;

/** Starts the embedded servers again after the disk of their home was full. @returns how to stop */
export function watchDisk(options: { home: string; servers: readonly KeptServer[]; log: Log }): () => void {
  const { home, servers, log } = options;
  let starved = false;
  const look = async () => {
    const { bavail, bsize } = await statfs(home);
    const step = diskEpisode(starved, bavail * bsize);
    if (step.starved && !starved)
      log.warn(`the disk of ${home} is full; nothing can be recorded until there is room`);
    starved = step.starved;
    if (!step.restart) return;
    log.warn(`there is room on the disk of ${home} again; the embedded servers are started again`);
    await Promise.all(servers.map((server) => server.restart()));
  };
  const timer = setInterval(
    () => void look().catch((error: Error) => log.warn(`the disk cannot be looked at: ${error.message}`)),
    lookMs,
  );
  return () => clearInterval(timer);
}
