/**
 * Who reads the ledger to keep something of it for good, and how far each is. Erasure deletes nothing that one of
 * them has yet to read.
 *
 * Folds in memory are not among them: an event carries the state after it, so a fold that finds events of an erased
 * task gone is told all the same, by the tombstone; and a process that died must not hold anything up.
 */
import type { KV } from "nats";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { LedgerPosition } from "./storedEvent.ts";

export const durableReaders = ["projector", "relay"] as const;
export type DurableReader = (typeof durableReaders)[number];

const reader = z.object({
  epoch: z.string(),
  /** All up to here is read and kept. */
  seq: z.number().int().min(0),
  /** When that was, by the reader's clock, in milliseconds since 1970. */
  at: z.number(),
  /** A person said that nothing waits for it, until it speaks again. */
  forgotten: z.boolean(),
});
export type ReaderPlace = z.infer<typeof reader>;

/** What is known of each; null for one that never spoke. */
export type ReaderPlaces = Readonly<Record<DurableReader, ReaderPlace | null>>;

const keyOf = (name: DurableReader, shard: number) => `reader.${name}.${shard}`;

/** @param kv bucket `cursors` @throws what the server answers */
export async function readerPlaces(kv: KV, shard: number): Promise<ReaderPlaces> {
  const places = await Promise.all(
    durableReaders.map(async (name) => {
      const entry = await kv.get(keyOf(name, shard));
      const read = reader.safeParse(entry?.operation === "PUT" ? jsonOf(entry.string()) : null);
      return [name, read.success ? read.data : null] as const;
    }),
  );
  return Object.fromEntries(places) as ReaderPlaces;
}

/** Nothing waits for the reader any more, until it speaks again: what is erased meanwhile it finds gone. */
export async function forgetReader(kv: KV, shard: number, name: DurableReader): Promise<ReaderPlace | null> {
  const known = (await readerPlaces(kv, shard))[name];
  const place = known ?? { epoch: "", seq: 0, at: 0 };
  await kv.put(keyOf(name, shard), JSON.stringify({ ...place, forgotten: true }));
  return known;
}

/** How often a reader's place is told when it moves; and when it does not, to show that it lives. */
const TOLD_EVERY_MS = 1_000;
const ALIVE_EVERY_MS = 10_000;

/**
 * Tells how far a reader is, for as long as it has a place: one small write a second at most.
 * @param ports.position null while it does not read
 * @returns how to stop
 */
export function tellPlace(
  ports: {
    readonly cursors: Promise<KV>;
    readonly shard: number;
    readonly clock: Clock;
    readonly log: Log;
    readonly position: () => LedgerPosition | null;
  },
  name: DurableReader,
  everyMs = TOLD_EVERY_MS,
): () => Promise<void> {
  const { cursors, shard, clock, log, position } = ports;
  let told: LedgerPosition | null = null;
  let toldAt = 0;
  let telling: Promise<void> = Promise.resolve();
  let busy = false;
  async function tell(): Promise<void> {
    const now = position();
    if (now === null) return;
    const moved = told === null || told.seq !== now.seq || told.epoch !== now.epoch;
    if (!moved && clock.monotonicMs() - toldAt < ALIVE_EVERY_MS) return;
    const place: ReaderPlace = { epoch: now.epoch, seq: now.seq, at: clock.now(), forgotten: false };
    await (await cursors).put(keyOf(name, shard), JSON.stringify(place));
    told = now;
    toldAt = clock.monotonicMs();
  }
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    telling = tell()
      .catch((error: unknown) =>
        log.debug({ error, name }, "the reader's place could not be told; it is soon"),
      )
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await telling;
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
