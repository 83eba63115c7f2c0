import type { Consumer, ConsumerMessages, JsMsg } from "nats";
import { attemptRef } from "../../../schemas/messages/node.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { fetchExpiresMs } from "../limits.ts";
import type { AgentLog, ClaimOffer, ClaimQueue } from "../ports.ts";

const CLAIMS = "CLAIMS";

export interface ClaimQueueOptions {
  readonly node: string;
  readonly log: AgentLog;
}

/** The node's durable consumer of CLAIMS, which is made when it registers, in fetches of as many as there are free slots. */
export function natsClaimQueue(nats: Nats, options: ClaimQueueOptions): ClaimQueue {
  const { node, log } = options;
  const live = new Set<ConsumerMessages>();
  let consumer: Consumer | null = null;
  const receive = (message: JsMsg, onOffer: (offer: ClaimOffer) => void) => {
    const offer = offerOf(message);
    if (offer !== null) return onOffer(offer);
    log.error({ subject: message.subject, seq: message.seq }, "a claim is unreadable and is put aside");
    message.term();
  };
  return {
    fetch: async (count, onOffer) => {
      try {
        consumer ??= await nats.js.consumers.get(CLAIMS, node);
        const messages = await consumer.fetch({ max_messages: count, expires: fetchExpiresMs });
        live.add(messages);
        try {
          for await (const message of messages) receive(message, onOffer);
        } finally {
          live.delete(messages);
        }
      } catch (error) {
        consumer = null;
        throw error;
      }
    },
    close: () => {
      for (const messages of live) void messages.close();
    },
  };
}

function offerOf(message: JsMsg): ClaimOffer | null {
  let body: unknown;
  try {
    body = message.json();
  } catch {
    return null;
  }
  const parsed = attemptRef.safeParse(body);
  if (!parsed.success) return null;
  return { ref: parsed.data, ack: () => message.ack(), working: () => message.working() };
}
