import type { Msg } from "nats";
import { logHeaders, logOffsetRequest } from "../../../schemas/messages/node.ts";
import { filters, subjects } from "../../../streams/subjects.ts";
import { isNoMessage } from "../../kernel/ledger/appendEvent.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";

/**
 * Answers `offset.<node>`: how many bytes of a stream of the node's own are stored, so that an agent that starts again
 * goes on there. A node that could ask the stream itself could read the output of every other.
 * @returns how to stop
 */
export function answerLogOffsets(ports: { readonly nats: Nats; readonly log: Log }): () => Promise<void> {
  const subscription = ports.nats.connection.subscribe(filters.logOffsets, { queue: "transitions" });
  void (async () => {
    for await (const message of subscription) void answer(ports, message);
  })();
  return () => subscription.drain();
}

/** No answer where it is not known: the node asks again. */
async function answer({ nats, log }: { nats: Nats; log: Log }, message: Msg): Promise<void> {
  try {
    const request = logOffsetRequest.parse(message.json());
    if (message.subject !== subjects.logOffset(request)) return;
    message.respond(JSON.stringify({ stored: await storedOffset(nats, subjects.log(request)) }));
  } catch (error) {
    log.warn(
      { error, subject: message.subject },
      "an offset of output could not be told; the node asks again",
    );
  }
}

/** By the leader's answer: a replica that is behind would make bytes be sent twice. */
async function storedOffset(nats: Nats, subject: string): Promise<number> {
  try {
    const message = await nats.jsm.streams.getMessage("LOGS", { last_by_subj: subject });
    return Number(message.header.get(logHeaders.offset)) + message.data.length;
  } catch (error) {
    if (isNoMessage(error)) return 0;
    throw error;
  }
}
