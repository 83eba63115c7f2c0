import type { JsMsg } from "nats";
import { resendsConsumer } from "../../streams/consumers.ts";
import { isRefusal } from "../domain/refusal.ts";
import { deadHeaders, deadSink, resendOrder } from "../kernel/deadLetters/deadLetter.ts";
import { newId } from "../kernel/ids.ts";
import { consumeForEver } from "../kernel/nats/consumeForEver.ts";
import { pause } from "../kernel/pause.ts";
import { type SinkOfTask, targetOf } from "./attempt.ts";
import type { Outcome } from "./outcome.ts";
import type { SinksPorts } from "./ports.ts";
import { dropLetter } from "./recordOutcome.ts";
import { afterTryCounted, newJob, type SinkJob } from "./sinkJob.ts";
import { sinksOfTask } from "./sinksOfTask.ts";
import type { TargetQueue } from "./targetQueue.ts";
import { trySink } from "./trySink.ts";

type ResendPorts = SinksPorts & { readonly queue: TargetQueue };

const COME_AGAIN_MS = 2_000;
/** Well below the time after which the server gives a letter to another process. */
const STILL_WORKING_MS = 10_000;
const EVENTS_MAX = 5_000;

/**
 * Tries sinks again that an operator asked for, by the same schedule from the moment of asking. The letter goes when the
 * sink has it, and is written anew when it has failed again. A letter whose process dies comes to the next one.
 * @returns how to stop
 */
export function takeResends(ports: ResendPorts): () => Promise<void> {
  const stopping = new AbortController();
  const stop = consumeForEver(ports, resendsConsumer, async (message) => {
    try {
      await take(ports, message, stopping.signal);
    } catch (error) {
      ports.log.warn({ error, subject: message.subject }, "a resend could not be finished; it comes again");
      message.nak(COME_AGAIN_MS);
    }
  });
  return async () => {
    stopping.abort();
    await stop();
  };
}

async function take(ports: ResendPorts, message: JsMsg, stopping: AbortSignal): Promise<void> {
  const order = message.headers?.get(deadHeaders.resend);
  if (!order) {
    message.ack();
    return;
  }
  if (stopping.aborted || !ports.lease.held()) return message.nak(COME_AGAIN_MS);
  const by = resendOrder.parse(JSON.parse(order));
  const letter = deadSink.parse(message.json());
  const of = (await sinksOfTask(ports.ledger, letter)).find((one) => one.id === letter.sink);
  // Erased in between: there is nothing left to send.
  if (of === undefined) await ports.dead.drop(message.seq);
  else {
    const job = newJob(of, ports.clock.now(), letter.tries);
    const outcome = await tryAll(ports, { job, message, stopping });
    if (outcome === null) return message.nak(COME_AGAIN_MS);
    if (outcome.result === "delivered") {
      await tellOnce(ports, of, outcome.receipt, by);
      await ports.dead.drop(message.seq);
    } else {
      const { message: why } = outcome;
      const again = {
        ...letter,
        tries: job.triesInAll,
        message: why,
        failed_at: ports.clock.now(),
      };
      await ports.dead.putSink(again, message.seq);
      if ((await ports.ledger.load(of)).state.status === "erased") await dropLetter(ports.dead, of);
    }
  }
  message.ack();
}

/** @returns null when this process has to leave it to another */
async function tryAll(
  ports: ResendPorts,
  of: { readonly job: SinkJob; readonly message: JsMsg; readonly stopping: AbortSignal },
): Promise<Outcome | null> {
  const { job, message, stopping } = of;
  const working = setInterval(() => message.working(), STILL_WORKING_MS);
  try {
    for (;;) {
      if (stopping.aborted || !ports.lease.held()) return null;
      const outcome = await throughQueue(ports, job.of);
      if (outcome === null) return null;
      const phase = await afterTryCounted(ports, job, outcome);
      if (phase.is !== "waiting") return outcome;
      await pause(Math.max(0, phase.at - ports.clock.now()), stopping);
    }
  } finally {
    clearInterval(working);
  }
}

/** A try in its turn at its target; null when the queue ended before. */
function throughQueue(ports: ResendPorts, of: SinkOfTask): Promise<Outcome | null> {
  return new Promise((resolve) => {
    ports.queue.add(targetOf(of), async () => resolve(await trySink(ports, of)));
  });
}

/**
 * Writes that a sink was delivered after it had failed, unless that is in the task's history already: only this process
 * writes it, and only on the history that it has read.
 */
async function tellOnce(
  ports: ResendPorts,
  of: SinkOfTask,
  receipt: string,
  by: ReturnType<typeof resendOrder.parse>,
): Promise<void> {
  for (;;) {
    const events = await ports.ledger.history(of, EVENTS_MAX);
    const isTold = events.some(
      ({ event: { body } }) => body.type === "sink_delivered" && body.sink === of.id,
    );
    const last = events.at(-1);
    if (isTold || last === undefined) return;
    const now = ports.clock.now();
    const command = { kind: "sink_delivered", at: now, id: newId(now), sink: of.id, receipt, by } as const;
    const done = await ports.ledger.execute(of, { ...command, resent: true }, null, last.seq);
    if (!isRefusal(done) || done.code !== "PRECONDITION_FAILED") return;
  }
}
