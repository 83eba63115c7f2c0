import type { AbsentTask, ErasedTask, TaskState } from "../../domain/task/taskState.ts";
import type { TaskKey, TaskLedger } from "../../kernel/ledger/taskLedger.ts";

/** Replays of replays that are followed back: more are nobody's intent, and each is a read. */
const REPLAYS_MAX = 100;

/** What a recorded source says of the task before. Pure. */
export function readSource(
  source: string,
): { readonly is: "after" | "replay"; readonly task: string } | null {
  const [kind, task] = source.split(":", 2);
  if (task === undefined || task === "") return null;
  if (kind === "sink") return { is: "after", task };
  return kind === "replay" ? { is: "replay", task } : null;
}

/**
 * The task whose output a task is given: of the same tenant, and named by the ledger.
 * @returns null where it has none, or where it or one between them has been erased
 * @throws Retryable `LEDGER_UNAVAILABLE`
 */
export async function previousOf(ledger: Pick<TaskLedger, "load">, key: TaskKey): Promise<TaskKey | null> {
  let { task } = key;
  for (let replays = 0; replays <= REPLAYS_MAX; replays++) {
    const { state } = await ledger.load({ ...key, task });
    if (isGone(state)) return null;
    const source = readSource(state.source);
    if (source === null) return null;
    task = source.task;
    if (source.is === "after") return (await isThere(ledger, { ...key, task })) ? { ...key, task } : null;
  }
  return null;
}

async function isThere(ledger: Pick<TaskLedger, "load">, key: TaskKey): Promise<boolean> {
  return !isGone((await ledger.load(key)).state);
}

function isGone(state: TaskState): state is AbsentTask | ErasedTask {
  return state.status === "absent" || state.status === "erased";
}
