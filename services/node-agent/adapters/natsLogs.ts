import { headers, NatsError } from "nats";
import { type AttemptRef, logHeaders } from "../../../schemas/messages/node.ts";
import { type LogStream, subjects } from "../../../streams/subjects.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { logTimeoutMs } from "../limits.ts";
import type { LogChunk, Logs } from "../ports.ts";

const LOGS = "LOGS";

/** Output chunks into LOGS; the message id makes a repeat within the server's window no second chunk. */
export function natsLogs(nats: Nats, node: string): Logs {
  return {
    append: async (chunk) => {
      await nats.js.publish(subjectOf(node, chunk.ref, chunk.stream), chunk.bytes, {
        headers: headersOf(chunk),
        msgID: messageId(chunk),
        timeout: logTimeoutMs,
      });
    },
    storedOffset: (ref, stream) => storedOffset(nats, subjectOf(node, ref, stream)),
  };
}

function subjectOf(node: string, ref: AttemptRef, stream: LogStream): string {
  return subjects.log({ node, task: ref.task, attempt: ref.attempt, stream });
}

function messageId({ ref, stream, offset, dropped }: LogChunk): string {
  return `${ref.task}.${ref.attempt}.${stream}.${offset}${dropped === null ? "" : ".dropped"}`;
}

function headersOf(chunk: LogChunk) {
  const own = headers();
  own.set(logHeaders.offset, String(chunk.offset));
  own.set(logHeaders.at, String(chunk.at));
  if (chunk.dropped !== null) own.set(logHeaders.dropped, String(chunk.dropped));
  return own;
}

/** By the leader's answer: a replica that is behind would make bytes be sent twice. */
async function storedOffset(nats: Nats, subject: string): Promise<number> {
  try {
    const message = await nats.jsm.streams.getMessage(LOGS, { last_by_subj: subject });
    return Number(message.header.get(logHeaders.offset)) + message.data.length;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === 404 && error.api_error.err_code === 10037) {
      return 0;
    }
    throw error;
  }
}
