import { isRefusal } from "../domain/refusal.ts";
import { newId } from "../kernel/ids.ts";
import type { SinkOfTask } from "./attempt.ts";
import type { Outcome } from "./outcome.ts";
import type { SinksPorts } from "./ports.ts";

type RecordPorts = Pick<SinksPorts, "ledger" | "dead" | "clock" | "log">;

/**
 * Writes what became of a sink: into the ledger, where the sink is settled with it, and before that, for one that has
 * failed, its dead letter. A process that dies between the two leaves a letter that is there once; whoever comes next
 * tries the sink again and settles it.
 *
 * A task that was erased during the try leaves none: what the letter holds is of the task. Whichever comes first of its
 * clearing, which takes letters as well, and the refusal here removes one that was written meanwhile.
 * @throws Retryable, what the server answers: written again later
 */
export async function recordOutcome(
  ports: RecordPorts,
  of: SinkOfTask,
  outcome: Outcome,
  tries: number,
): Promise<void> {
  const now = ports.clock.now();
  const base = { at: now, id: newId(now), sink: of.id };
  if (outcome.result === "failed") {
    if ((await ports.ledger.load(of)).state.status === "erased") return;
    const { tenant, task, id: sink } = of;
    const { message } = outcome;
    await ports.dead.putSink({ tenant, task, sink, type: of.sink.type, tries, message, failed_at: now });
  }
  const done = await ports.ledger.execute(
    of,
    outcome.result === "delivered"
      ? { ...base, kind: "sink_delivered", receipt: outcome.receipt }
      : { ...base, kind: "sink_failed", tries, message: outcome.message },
  );
  if (!isRefusal(done)) return;
  ports.log.warn({ code: done.code, task: of.task, sink: of.id }, "a sink was not settled");
  if (done.code === "TASK_ERASED" && outcome.result === "failed") await dropLetter(ports.dead, of);
}

/** Removes the letter of a sink, if there is one. */
export async function dropLetter(
  dead: Pick<RecordPorts["dead"], "findSink" | "drop">,
  of: Pick<SinkOfTask, "tenant" | "task" | "id">,
): Promise<void> {
  const letter = await dead.findSink({ ...of, sink: of.id });
  if (letter !== null) await dead.drop(letter.seq);
}
