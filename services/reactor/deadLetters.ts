import { filters, parseDeadSink, parseReportSubject } from "../../streams/subjects.ts";
import { getNextOf, isNoMessage } from "../kernel/ledger/appendEvent.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";

export interface DeadLetters {
  /** Reads those that came since. */
  look(): Promise<void>;
  /** Sequences of those about a task. */
  of(task: string): readonly number[];
}

/** Which dead letters are about which task: a sink's says so in its subject, a report's has its own in a header. */
export function watchDeadLetters(nats: Pick<Nats, "jsm">): DeadLetters {
  const found = new Map<string, number[]>();
  let read = 0;
  return {
    look: async () => {
      try {
        for (;;) {
          const { seq, subject, header } = await getNextOf(
            nats.jsm,
            "DEADLETTERS",
            filters.deadLetters,
            read + 1,
          );
          read = seq;
          const of = parseDeadSink(subject) ?? parseReportSubject(header.get("Cazi-Subject"));
          if (of !== null) found.set(of.task, [...(found.get(of.task) ?? []), seq]);
        }
      } catch (error) {
        if (!isNoMessage(error)) throw error;
      }
    },
    of: (task) => found.get(task) ?? [],
  };
}
