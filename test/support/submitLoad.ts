import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Task } from "../../schemas/api/task.ts";
import type { ApiRequests } from "./apiRequests.ts";

const retryPauseMs = 100;
/** For one task, from its first try on. */
const deadlineMs = 120_000;
/** Between two tasks of one of those at once: some fifty a second of all. */
const GENTLE_MS = 300;

/**
 * Submits `count` tasks, `atOnce` at a time, each until it is acknowledged: what fails meanwhile is repeated with
 * its key, as a careful client does.
 * @returns ids of the acknowledged tasks, how many answers were failures, and the longest time without an
 *   acknowledgement
 */
export async function submitLoad(
  api: ApiRequests,
  of: {
    /** At least so many. */
    readonly count: number;
    readonly atOnce: number;
    readonly spec: (index: number) => object;
    /** Goes on beyond the count while this says so, at a gentle pace. */
    readonly goesOn?: () => boolean;
  },
): Promise<{ readonly ids: readonly string[]; readonly refusals: number; readonly longestGapMs: number }> {
  const ids: string[] = [];
  let lastMs = performance.now();
  let longestGapMs = 0;
  let next = 0;
  let refusals = 0;
  async function submitOne(index: number): Promise<string> {
    const key = randomUUID();
    const deadline = performance.now() + deadlineMs;
    for (;;) {
      const answer = await api
        .request<Task>("POST", "/v1/tasks", { body: of.spec(index), headers: { "idempotency-key": key } })
        .catch(() => null);
      if (answer?.status === 202) {
        longestGapMs = Math.max(longestGapMs, performance.now() - lastMs);
        lastMs = performance.now();
        return answer.body.id;
      }
      if (answer !== null && answer.status < 500) throw new Error(JSON.stringify(answer.body));
      if (performance.now() > deadline) throw new Error(`not acknowledged: ${JSON.stringify(answer?.body)}`);
      refusals++;
      await pause(retryPauseMs);
    }
  }
  async function worker() {
    while (next < of.count) ids.push(await submitOne(next++));
    while (of.goesOn?.()) {
      await pause(GENTLE_MS);
      ids.push(await submitOne(next++));
    }
  }
  await Promise.all(Array.from({ length: of.atOnce }, worker));
  return { ids, refusals, longestGapMs: Math.round(longestGapMs) };
}
