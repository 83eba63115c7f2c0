import { logHeaders } from "../../../schemas/messages/node.ts";
import { parseLogSubject } from "../../../streams/subjects.ts";
import type { LogChunk } from "./logSource.ts";

/** A message of LOGS, delivered or got. */
interface Stored {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
  readonly headers: { get(name: string): string } | undefined;
  readonly pending: number;
}

/** Null for a message that is not of a node's making; the reader goes on. Pure. */
export function toChunk({ subject, seq, data, headers, pending }: Stored): LogChunk | null {
  const of = parseLogSubject(subject);
  const offset = Number(headers?.get(logHeaders.offset));
  const at = Number(headers?.get(logHeaders.at));
  const dropped = headers?.get(logHeaders.dropped);
  if (of === null || !Number.isSafeInteger(offset) || !Number.isSafeInteger(of.attempt)) return null;
  return {
    node: of.node,
    attempt: of.attempt,
    stream: of.stream,
    offset,
    at: Number.isSafeInteger(at) ? at : 0,
    bytes: data,
    dropped: dropped ? Number(dropped) : null,
    pending,
    seq,
  };
}
