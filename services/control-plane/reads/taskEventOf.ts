import type { ApiTaskEvent } from "../../../schemas/api/taskEvent.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";

/** An event's bytes in the form of the API. @throws Poison as `decodeTaskEvent` */
export function taskEventOf(seq: number, bytes: Uint8Array): ApiTaskEvent {
  const { id, at, task, traceparent, by, body, state } = decodeTaskEvent(bytes);
  const { type, ...data } = body;
  const carried = state.status === "erased" ? null : state;
  return {
    id,
    seq,
    task,
    at: toTimestamp(at),
    type,
    status: state.status,
    attempt: carried?.attempt ?? null,
    node: carried?.node ?? null,
    traceparent,
    // Events of earlier versions say it in their data alone, where somebody asked for them.
    who: by ?? ("who" in body ? body.who : null),
    data: "spec" in data ? intentOf(data) : data,
  };
}

/** A first event's own trace is the event's, which is shown beside. */
function intentOf({ traceparent: _same, spec, ...data }: { traceparent: string | null; spec: string }) {
  return { ...data, spec: JSON.parse(spec) as unknown };
}
