import { DeliverPolicy, type NatsConnection } from "nats";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";

/** An event as it lies in the ledger. */
export interface LedgerEvent {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly task: string;
  readonly type: string;
}

/** The events of a range of sequences, in order. */
export async function readEvents(
  connection: NatsConnection,
  range: { readonly stream: string; readonly from: number; readonly to: number },
): Promise<LedgerEvent[]> {
  const consumer = await connection.jetstream().consumers.get(range.stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: range.from,
  });
  const events: LedgerEvent[] = [];
  const messages = await consumer.consume({ max_messages: 1_000 });
  for await (const message of messages) {
    const { task, body } = decodeTaskEvent(message.data);
    events.push({ subject: message.subject, bytes: message.data.slice(), task, type: body.type });
    if (message.seq >= range.to) break;
  }
  await messages.close();
  await consumer.delete();
  return events;
}
