import type { KV } from "nats";
import { derivedId } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { SinkOfTask } from "./attempt.ts";

/** How often a sink was tried in vain, over all processes that tried it. */
export interface SinkTries {
  /**
   * Counts one more. Never throws: where the count cannot be kept, it is that of this process.
   * @param known what the caller knows of already
   * @returns tries in vain, this one included
   */
  oneMore(of: SinkOfTask, known: number): Promise<number>;
}

/**
 * A count is kept after its try: a try whose process dies with it is not in it. It says what was tried and decides nothing;
 * the schedule follows from the clock alone. The key tells nothing of the spec, so that an erasure has nothing to take.
 * @param open the bucket `sink_tries`
 */
export function sinkTriesOnNats(of: { readonly open: () => Promise<KV>; readonly log: Log }): SinkTries {
  return {
    async oneMore(sink, known) {
      const key = `${sink.tenant}.${sink.task}.${derivedId(sink.task, sink.id)}`;
      let before = known;
      try {
        const kv = await of.open();
        before = Math.max(before, Number((await kv.get(key))?.string() ?? 0));
        await kv.put(key, String(before + 1));
      } catch (error) {
        of.log.warn({ error, task: sink.task, sink: sink.id }, "a try of a sink is counted in memory alone");
      }
      return before + 1;
    },
  };
}
