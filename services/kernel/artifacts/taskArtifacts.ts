import { decodeTaskEvent, type TaskEvent } from "../../../schemas/taskEvents.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../../streams/streams.ts";
import { subjects } from "../../../streams/subjects.ts";
import { getNextOf, isNoMessage } from "../ledger/appendEvent.ts";
import type { TaskKey } from "../ledger/taskLedger.ts";
import type { Nats } from "../nats/connectNats.ts";
import { type ArtifactStore, objectName, openArtifactStore } from "./artifactStore.ts";

/** The events of a task that are stored after `after`, oldest first: one question an event. */
export async function* historyOf(
  nats: Pick<Nats, "jsm">,
  { tenant, task }: TaskKey,
  options: { readonly after: number; readonly shard?: number },
): AsyncGenerator<{ readonly seq: number; readonly event: TaskEvent }, void> {
  const subject = subjects.ledger({ tenant, kind: "task", id: task });
  const stream = ledgerStream(options.shard ?? DEFAULT_SHARD);
  for (let next = options.after + 1; ; ) {
    let message: Awaited<ReturnType<typeof getNextOf>>;
    try {
      message = await getNextOf(nats.jsm, stream, subject, next);
    } catch (error) {
      if (isNoMessage(error)) return;
      throw error;
    }
    yield { seq: message.seq, event: decodeTaskEvent(message.data) };
    next = message.seq + 1;
  }
}

/**
 * Removes the bytes of every file that a task ever published: a part of its erasure. To be called while its
 * events are still there, as often as need be; it reads them to know what there is.
 * @throws Retryable `ARTIFACT_STORE_UNAVAILABLE`; what reading the ledger throws
 */
export async function removeArtifactsOf(
  nats: Pick<Nats, "js" | "jsm">,
  key: TaskKey,
  store: ArtifactStore = openArtifactStore(nats),
): Promise<void> {
  for await (const { event } of historyOf(nats, key, { after: 0 })) {
    if (event.body.type === "artifact_stored") await store.remove(objectName(key, event.id));
  }
}
