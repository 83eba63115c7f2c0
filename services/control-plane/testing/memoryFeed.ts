import type { StoredEvent } from "../../kernel/ledger/storedEvent.ts";
import type { FeedSource } from "../feed/feedSource.ts";
import { whereToBegin } from "../feed/whereToBegin.ts";

/** A feed in memory over events of a ledger; pushing to them is feeding, raising `pruned` is removing. */
export function memoryFeed(events: StoredEvent[]) {
  const life = "00000001";
  const control = { pruned: 0, fetched: 0 };
  const source: FeedSource = {
    ends: async () => ({ life, firstSeq: control.pruned + 1, lastSeq: events.length }),
    async *follow({ tenant, transition, after }, signal) {
      const begin = whereToBegin(await source.ends(), after);
      let seq = begin.after;
      if (begin.gap !== null) yield { kind: "gap", gap: begin.gap, at: { seq, life } };
      while (!signal.aborted) {
        for (const stored of events.slice(seq)) {
          seq++;
          const { event, bytes } = stored;
          if (event.tenant !== tenant || (transition !== null && event.body.type !== transition)) continue;
          control.fetched++;
          yield { kind: "event", entry: { seq, life, ledgerSeq: stored.seq, bytes } };
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
  return { source, control, events };
}
