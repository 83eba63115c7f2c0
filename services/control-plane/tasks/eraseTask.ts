import type { ErasedTask } from "../../../schemas/api/taskRequests.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { isEnded, type Who } from "../../domain/task/taskState.ts";
import { newId } from "../../kernel/ids.ts";
import { movedOn, type TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { ApiPorts } from "../ports.ts";
import { rejectionOf } from "../submit/specRequest.ts";

/** A task that is over changes only with its sinks and files: more conflicts than this are no race. */
const TRIES = 20;

/**
 * Erases a task that is over, before its time. Its tombstone is appended, which is the intent: the projector and the
 * reactor do the rest, whoever dies. Sinks that are not settled are given up: who wants a task gone does not want it sent.
 * @param by.only the sequence of the task's last event that the caller knows; null where it does not matter
 * @returns what was given up, and the tombstone's sequence
 * @throws Rejection `TASK_NOT_ENDED`, `TASK_NOT_FOUND`, `TASK_ERASED`, `PRECONDITION_FAILED`
 */
export async function eraseTask(
  ports: Pick<ApiPorts, "ledger" | "clock">,
  key: TaskKey,
  by: { readonly who: Who; readonly only: number | null },
): Promise<ErasedTask & { readonly seq: number }> {
  const at = ports.clock.now();
  const command = { kind: "erase", at, id: newId(at), by: by.who, giveUpSinks: true } as const;
  for (let tries = 0; tries < TRIES; tries++) {
    const version = await ports.ledger.load(key);
    if (by.only !== null && version.seq !== by.only) break;
    const done = await ports.ledger.execute(key, command, version, version.seq);
    if (isRefusal(done)) {
      if (done.code === "PRECONDITION_FAILED") continue;
      throw rejectionOf(done);
    }
    const { state } = version;
    const sinks_given_up =
      isEnded(state) && state.status !== "blocked" ? state.limits.sinks - state.settled_sinks.length : 0;
    return { id: key.task, sinks_given_up, seq: done.seq };
  }
  throw rejectionOf(movedOn());
}
