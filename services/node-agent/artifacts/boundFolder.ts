import type { AgentContext } from "../attempt/agentContext.ts";
import type { AttemptRecord } from "../attempt/attemptRecord.ts";
import {
  artifactFolderDepthMax,
  artifactFolderEntriesMax,
  artifactMeasureMs,
  artifactMeasureShare,
} from "../limits.ts";
import { Abandoned, after } from "../repeat.ts";
import { measureFolder } from "./measureFolder.ts";

/**
 * Kills an attempt whose folder grows beyond what it may: nothing else bounds it, and the disk is everybody's.
 * @returns what ends the watching, and gives the sentence for the attempt's message; null where it kept its bounds
 */
export function boundFolder(context: AgentContext, attempt: AttemptRecord): () => string | null {
  const { artifacts, life, log, runtime } = context;
  if (artifacts === null) return () => null;
  let over: string | null = null;
  let ended = false;
  let cancel = () => {};
  const look = async (): Promise<void> => {
    let tookMs = 0;
    try {
      const path = await artifacts.find(attempt.ref);
      if (path === null) return;
      const limits = {
        bytes: artifacts.bytesMax,
        entries: artifactFolderEntriesMax,
        depth: artifactFolderDepthMax,
      };
      const { passed, cpuMs } = await measureFolder(path, limits);
      tookMs = cpuMs;
      // At once and not with its grace: it would go on filling the disk.
      if (passed !== null && !ended && (await runtime.signal(attempt.ref, "SIGKILL")) === "sent") {
        over = `ARTIFACT_FOLDER_FULL: ${passed}, so it was ended`;
        log.warn(
          { ...attempt.ref, why: passed },
          "an attempt is ended: its folder of artifacts grew too large",
        );
      }
    } catch (error) {
      if (!(error instanceof Abandoned)) {
        log.warn({ ...attempt.ref, error }, "a folder of artifacts cannot be measured; it is tried again");
      }
    }
    // A folder that takes long to measure is measured less often: the cost has its bound as well. Waiting for a processor
    // costs nothing, and a machine that is busy is where it grows unseen.
    if (!ended && !life.over) wait(Math.max(artifactMeasureMs, tookMs * artifactMeasureShare));
  };
  const wait = (ms: number) => {
    cancel = after(ms, () => void look());
  };
  wait(artifactMeasureMs);
  // A timer would keep a stopped agent's process.
  const forget = life.onEnd(() => cancel());
  return () => {
    ended = true;
    cancel();
    forget();
    return over;
  };
}
