import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { ledgerStream } from "../../../streams/streams.ts";
import type { Nats } from "../nats/connectNats.ts";
import { isNoMessage } from "./appendEvent.ts";
import type { Witness } from "./writeGate.ts";

/** Why a process cannot go on with a stream that is not the one it began with. */
export function madeAnew(stream: string, found: unknown, known: string): string {
  return `stream ${stream} was made anew at ${found}, this process began with that of ${known}; once the ledger is repaired, start the process again`;
}

/**
 * Whether the ledger still is the stream that this process knew and holds the newest event it knew of. A number
 * alone proves nothing: a shorter history may have grown past it since, so the event's id is compared.
 * @param epoch the stream's creation time as this process first saw it
 * @throws what the server answers when it cannot say
 */
export async function checkWitness(
  nats: Nats,
  known: { readonly shard: number; readonly epoch: string; readonly witness: Witness },
): Promise<"ok" | { readonly regressed: string }> {
  const stream = ledgerStream(known.shard);
  const info = await nats.jsm.streams.info(stream);
  if (String(info.created) !== known.epoch) {
    return { regressed: madeAnew(stream, info.created, known.epoch) };
  }
  const { seq, eventId } = known.witness;
  try {
    const message = await nats.jsm.streams.getMessage(stream, { seq });
    if (decodeTaskEvent(message.data).id === eventId) return "ok";
    return { regressed: `another event stands at sequence ${seq} of ${stream}` };
  } catch (error) {
    if (!isNoMessage(error)) throw error;
    // Erasure removes messages, never the newest of a subject; what is gone below the end was erased.
    if (info.state.last_seq > seq) return "ok";
    return { regressed: `sequence ${seq} of ${stream} is gone; the newest is ${info.state.last_seq}` };
  }
}
