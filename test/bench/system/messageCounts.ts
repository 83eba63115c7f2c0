import type { JetStreamManager } from "nats";

/** Messages stored by, and delivered from, each stream so far. */
export interface MessageCounts {
  readonly stored: Readonly<Record<string, number>>;
  readonly delivered: Readonly<Record<string, number>>;
}

export async function countMessages(jsm: JetStreamManager): Promise<MessageCounts> {
  const stored: Record<string, number> = {};
  const delivered: Record<string, number> = {};
  for (const { config, state } of await jsm.streams.list().next()) {
    stored[config.name] = state.last_seq;
    let count = 0;
    for await (const consumer of jsm.consumers.list(config.name)) count += consumer.delivered.consumer_seq;
    delivered[config.name] = count;
  }
  return { stored, delivered };
}

/** Of a task, over all streams. What buckets store and deliver (leases, heartbeats) comes by time, not by task. */
export function totalOf(byStream: Readonly<Record<string, number>>): number {
  return Object.entries(byStream)
    .filter(([name]) => !/^(KV|OBJ)_/.test(name))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Per task, by stream; streams that nothing happened in are left out. */
export function messagesPerTask(before: MessageCounts, after: MessageCounts, tasks: number): MessageCounts {
  const per = (from: MessageCounts["stored"], to: MessageCounts["stored"]) =>
    Object.fromEntries(
      Object.entries(to)
        .map(([name, count]) => [name, Math.max(0, count - (from[name] ?? 0)) / tasks] as const)
        .filter(([, count]) => count >= 0.005),
    );
  return { stored: per(before.stored, after.stored), delivered: per(before.delivered, after.delivered) };
}
