import { setTimeout as pause } from "node:timers/promises";
import { submitLoad } from "../../support/submitLoad.ts";
import { type ChaosGround, loadTag } from "../ground/chaosGround.ts";

const image = "cazi/toolbox:latest";
/**
 * A twentieth fails of itself, a tenth takes a while. The others may be tried again more often than any run needs, because a
 * node may be lost under them: one that failed for want of retries would hide that it was lost.
 */
function spec(index: number): object {
  const tags = [loadTag];
  if (index % 20 === 0) return { image, command: ["exit", "7"], timeout_seconds: 60, tags };
  const command = index % 10 === 0 ? ["sleep", "0.3"] : ["true"];
  return { image, command, timeout_seconds: 60, max_retries: 20, tags };
}

/**
 * Submits no-op tasks, at least `tasks`, for as long as it takes to do `fault` `times` times.
 * @param pauseMs between two faults, from half of it to one and a half
 */
export async function underLoad(
  ground: ChaosGround,
  of: { readonly times: number; readonly tasks: number; readonly pauseMs: number },
  random: () => number,
  fault: (index: number) => Promise<void>,
) {
  let faults = 0;
  const load = submitLoad(ground.api, {
    count: of.tasks,
    atOnce: 16,
    spec,
    goesOn: () => faults < of.times,
  });
  // Whatever becomes of the load is told when it is awaited.
  load.catch(() => undefined);
  while (faults < of.times) {
    await pause(of.pauseMs * (0.5 + random()));
    await fault(faults);
    faults++;
  }
  const { ids, longestGapMs } = await load;
  return { ids, faults, longestGapMs };
}
