import type Docker from "dockerode";
import type { ContainerInspectInfo } from "dockerode";
import type { AgentLife } from "../../agentLife.ts";
import { engineRetryMs, waitWatchdogMs } from "../../limits.ts";
import type { ExitFacts } from "../../ports.ts";
import { Abandoned, after, sleep } from "../../repeat.ts";
import { callEngine } from "./engineErrors.ts";

/**
 * Waits for a started container's exit. The engine's `wait` is the fast way and not the only one: sent at the
 * wrong moment it may hang for ever, so an inspect looks every few seconds as well. An engine that is away is
 * waited for.
 * @throws Abandoned when the life ends
 */
export async function waitForExit(container: Docker.Container, life: AgentLife): Promise<ExitFacts | "gone"> {
  let interrupted = false;
  for (;;) {
    if (life.over) throw new Abandoned();
    try {
      await waitOrWatchdog(container, life);
      const answer = await callEngine(() => container.inspect());
      if (!answer.ok && answer.status === 404) return "gone";
      if (answer.ok && hasEnded(answer.value)) return exitFacts(answer.value, interrupted);
    } catch (error) {
      if (error instanceof Abandoned) throw error;
      interrupted = true;
      await sleep(engineRetryMs, life);
    }
  }
}

/** Resolves when `wait` answers or the watchdog's time is up. @throws when the engine is out of reach */
async function waitOrWatchdog(container: Docker.Container, life: AgentLife): Promise<void> {
  const aborter = new AbortController();
  let watchdog = () => {};
  const forget = life.onEnd(() => aborter.abort());
  try {
    const answered = callEngine(() => container.wait({ abortSignal: aborter.signal }));
    const timed = new Promise<null>((resolve) => {
      watchdog = after(waitWatchdogMs, () => resolve(null));
    });
    const first = await Promise.race([answered, timed]);
    if (first === null) answered.catch(() => {});
    // Answered "failed" at once, as for a container that is being removed: do not ask in a tight circle.
    else if (!first.ok) await sleep(engineRetryMs, life);
  } catch (error) {
    if (life.over) throw new Abandoned();
    throw error;
  } finally {
    watchdog();
    forget();
    aborter.abort();
  }
}

function hasEnded(info: ContainerInspectInfo): boolean {
  return info.State.Status === "exited" || info.State.Status === "dead";
}

function exitFacts(info: ContainerInspectInfo, interrupted: boolean): ExitFacts {
  return {
    exitCode: info.State.ExitCode,
    oomKilled: info.State.OOMKilled,
    startedAt: engineTime(info.State.StartedAt),
    finishedAt: engineTime(info.State.FinishedAt) ?? 0,
    interrupted,
  };
}

/** The engine's time as milliseconds since 1970; its year 1 means never. */
export function engineTime(text: string): number | null {
  const ms = Date.parse(text);
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
