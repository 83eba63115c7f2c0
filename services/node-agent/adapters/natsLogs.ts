import { headers } from "nats";
import { type AttemptRef, logHeaders, logOffsetReply } from "../../../schemas/messages/node.ts";
import { type LogStream, subjects } from "../../../streams/subjects.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { logTimeoutMs } from "../limits.ts";
import type { LogChunk, Logs } from "../ports.ts";

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
    storedOffset: async ({ task, attempt }, stream) => {
      const body = JSON.stringify({ node, task, attempt, stream });
      const answer = await nats.connection.request(subjects.logOffset({ node }), body, {
        timeout: logTimeoutMs,
      });
      return logOffsetReply.parse(answer.json()).stored;
    },
  };
}

function subjectOf(node: string, ref: AttemptRef, stream: LogStream): string {
  return subjects.log({ node, task: ref.task, attempt: ref.attempt, stream });
}

/** With the fence, which no other node knows: ids are of the whole stream, and a foreign one would swallow our chunk. */
function messageId({ ref, stream, offset, dropped }: LogChunk): string {
  return `${ref.fence}.${stream}.${offset}${dropped === null ? "" : ".dropped"}`;
}

function headersOf(chunk: LogChunk) {
  const own = headers();
  own.set(logHeaders.offset, String(chunk.offset));
  own.set(logHeaders.at, String(chunk.at));
  own.set(logHeaders.tenant, chunk.ref.tenant);
  if (chunk.dropped !== null) own.set(logHeaders.dropped, String(chunk.dropped));
  return own;
}
