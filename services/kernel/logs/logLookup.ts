import { DeliverPolicy, type StoredMsg } from "nats";
import { filters } from "../../../streams/subjects.ts";
import { Retryable } from "../errors.ts";
import { getNextOf, isNoMessage } from "../ledger/appendEvent.ts";
import type { Nats } from "../nats/connectNats.ts";
import type { LogChunk, LogFilter } from "./logSource.ts";
import { toChunk } from "./toChunk.ts";

/** Single looks into LOGS, some milliseconds each however much is stored. All throw Retryable `LOGS_UNAVAILABLE`. */
export interface LogLookup {
  /** The chunk that was stored last; null where there is none, or it is not of a node's making. */
  last(filter: LogFilter): Promise<LogChunk | null>;
  /** The first one at this place in LOGS or after it. */
  next(filter: LogFilter, seq: number): Promise<LogChunk | null>;
  /** How many are stored from this place on. */
  count(filter: LogFilter, seq: number): Promise<number>;
}

export function createLogLookup(nats: Nats): LogLookup {
  const look = async (filter: LogFilter, get: (subject: string) => Promise<StoredMsg>) => {
    try {
      const { subject, seq, data, header } = await get(filters.logsOfAttempt(filter));
      return toChunk({ subject, seq, data, headers: header, pending: 0 });
    } catch (error) {
      if (isNoMessage(error)) return null;
      throw unavailable(filter, error);
    }
  };
  return {
    last: (filter) =>
      look(filter, (subject) => nats.jsm.streams.getMessage("LOGS", { last_by_subj: subject })),
    next: (filter, seq) => look(filter, (subject) => getNextOf(nats.jsm, "LOGS", subject, seq)),
    count: async (filter, seq) => {
      try {
        const consumer = await nats.js.consumers.get("LOGS", {
          filterSubjects: filters.logsOfAttempt(filter),
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: seq,
          headers_only: true,
        });
        const { num_pending } = await consumer.info();
        // It ends by itself after a while; the answer changes nothing.
        void consumer.delete().catch(() => undefined);
        return num_pending;
      } catch (error) {
        throw unavailable(filter, error);
      }
    },
  };
}

export function unavailable(filter: Pick<LogFilter, "task">, cause: unknown): Retryable {
  return new Retryable("LOGS_UNAVAILABLE", `The output of task ${filter.task} cannot be read now.`, {
    cause,
    hint: "Send the request again.",
  });
}
