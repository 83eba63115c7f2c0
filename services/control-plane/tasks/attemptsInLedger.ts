import { type Attempt, attemptShown, attemptsOf, noTimes } from "../../domain/task/attempts.ts";
import type { TaskState } from "../../domain/task/taskState.ts";
import type { TaskKey, TaskLedger, TaskVersion } from "../../kernel/ledger/taskLedger.ts";
import { attemptEventsMax } from "../limits.ts";

/**
 * A task's attempts as its events tell them. Of a history that is too long to be read event by event only the attempt
 * that the state itself shows; the read models have the others.
 */
export async function attemptsInLedger(
  ledger: Pick<TaskLedger, "history">,
  key: TaskKey,
  { state, seq }: TaskVersion,
): Promise<readonly Attempt[]> {
  if (!("attempt" in state) || state.attempt === 0) return [];
  const events = await ledger.history(key, attemptEventsMax);
  // The state and its attempts are of one moment: what came after it is for the next reader.
  const until = events.filter((one) => one.seq <= seq);
  if (until.at(-1)?.seq !== seq) return attemptsOfState(state);
  return attemptsOf(until.map(({ event }) => event));
}

/** What is known of the attempts without any other event: the last one, without the times of its offer and grant. */
export function attemptsOfState(state: TaskState): readonly Attempt[] {
  if (state.status === "absent" || state.status === "erased") return [];
  const shown = attemptShown(state, noTimes);
  return shown === null ? [] : [shown];
}

/** True where the state itself shows the only attempt that there was, or there was none. */
export function isFirstAttempt(state: TaskState): boolean {
  return "attempt" in state && (state.attempt === 0 || (state.attempt === 1 && state.fence !== null));
}
