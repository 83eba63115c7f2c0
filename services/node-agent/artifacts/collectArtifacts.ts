import type { AgentContext } from "../attempt/agentContext.ts";
import { askGrant } from "../attempt/askGrant.ts";
import type { AttemptRecord } from "../attempt/attemptRecord.ts";
import { artifactCollectMs, artifactRefusalsMax, artifactToldMax, artifactTriesMax } from "../limits.ts";
import { Abandoned, after, backoffMs, sleep } from "../repeat.ts";
import { type ArtifactAccess, type Sent, sendFile } from "./sendFile.ts";
import { type FoundFile, walkFolder } from "./walkFolder.ts";

/**
 * Brings what an ended attempt left in its folder, and removes the folder. Takes {@link artifactCollectMs} at most:
 * the task's end waits for it.
 * @returns what could not be brought, as a sentence; null when all was
 * @throws Abandoned when the agent stops; the next life does it
 */
export async function collectArtifacts(
  context: AgentContext,
  attempt: AttemptRecord,
): Promise<string | null> {
  const { artifacts, life, log } = context;
  const path = artifacts === null ? null : await artifacts.find(attempt.ref);
  if (artifacts === null || path === null) return null;
  const untold: string[] = [];
  const deadline = context.clock.monotonicMs() + artifactCollectMs;
  try {
    await collect(context, attempt, { path, deadline, missed: (what) => untold.push(what) });
  } catch (error) {
    if (error instanceof Abandoned || life.over) throw new Abandoned();
    log.error({ ...attempt.ref, error }, "artifacts could not be collected");
    untold.push("the folder cannot be read");
  }
  await artifacts.remove(attempt.ref).catch((error) => {
    log.warn(
      { ...attempt.ref, error },
      "the folder of artifacts cannot be removed; the next start tries again",
    );
  });
  return untold.length === 0 ? null : tell(untold);
}

interface Collection {
  readonly path: string;
  /** On the monotonic clock. */
  readonly deadline: number;
  missed(what: string): void;
}

async function collect(context: AgentContext, attempt: AttemptRecord, of: Collection): Promise<void> {
  let access: ArtifactAccess | null = null;
  let refusals = 0;
  for await (const found of walkFolder(of.path)) {
    if (found.is === "skipped") {
      of.missed(`${shown(found.name)}: ${found.why}`);
      continue;
    }
    try {
      if (attempt.stop.by === "settled" || attempt.stop.by === "disconnect")
        return of.missed("it was given up");
      access ??= await accessOf(context, attempt, of.deadline);
      if (access === null) return of.missed("the control plane offers no place for them, or does not answer");
      const sent = await sendAgain(context, access, { found, deadline: of.deadline });
      if (sent.is === "stored") continue;
      of.missed(`${shown(found.name)}: ${sent.why}`);
      if (sent.is === "refused" && ++refusals >= artifactRefusalsMax)
        return of.missed("the rest was not tried");
      if (sent.is === "failed") return of.missed("the rest was not tried");
    } finally {
      await found.file.close();
    }
  }
}

/** From the attempt's grant; asked for again by an agent that was not there when it was given. */
async function accessOf(
  context: AgentContext,
  attempt: AttemptRecord,
  deadline: number,
): Promise<ArtifactAccess | null> {
  if (attempt.artifactAccess !== undefined) return attempt.artifactAccess;
  const left = deadline - context.clock.monotonicMs();
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = after(left, () => resolve(null));
  });
  try {
    const answer = await Promise.race([askGrant(context, attempt), late]);
    return answer === null || answer.reply.answer === "no" ? null : toAccess(answer.reply);
  } finally {
    cancel();
  }
}

/** What a grant says of where files go; null where nowhere. */
export function toAccess(grant: {
  readonly artifact_url: string | null;
  readonly workload_token: string | null;
}): ArtifactAccess | null {
  const { artifact_url: url, workload_token: token } = grant;
  return url === null || token === null ? null : { url: url.replace(/\/+$/, ""), token };
}

async function sendAgain(
  context: AgentContext,
  access: ArtifactAccess,
  of: { readonly found: FoundFile; readonly deadline: number },
): Promise<Sent> {
  for (let tries = 1; ; tries++) {
    if (context.life.over) throw new Abandoned();
    const sent = await sendFile(access, of.found);
    if (context.life.over) throw new Abandoned();
    if (sent.is !== "failed" || tries >= artifactTriesMax) return sent;
    if (context.clock.monotonicMs() >= of.deadline) return sent;
    context.log.debug({ name: of.found.name, tries, why: sent.why }, "a file is sent again");
    await sleep(backoffMs(tries), context.life);
  }
}

/** A name as it may stand in a sentence, whatever is in it. */
function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

function tell(missed: readonly string[]): string {
  const told = missed.slice(0, artifactToldMax).join("; ");
  const more = missed.length - artifactToldMax;
  return `not everything in /artifacts was stored: ${told}${more > 0 ? `; and ${more} more` : ""}`;
}
