import type { KV } from "nats";
import { z } from "zod";

/** What operators see of erasure, and where it goes on after a restart. KV `cursors`, `erasure.<shard>`. */
const erasurePlace = z.object({
  epoch: z.string(),
  /** Every tombstone up to here is all that is left of its task. */
  seq: z.number().int().min(0),
  /** Tombstones after that whose tasks are not cleared yet, as far as they were read. */
  waiting: z.number().int().min(0),
  /** The reader that they wait for, its place, and since when, in milliseconds since 1970. */
  held_up_by: z.object({ reader: z.string(), seq: z.number(), since: z.number() }).nullable(),
});
export type ErasurePlace = z.infer<typeof erasurePlace>;

const keyOf = (shard: number) => `erasure.${shard}`;

/** @param kv bucket `cursors` @returns no place when none is known, or it cannot be read: then all is looked at again */
export async function readErasurePlace(
  kv: KV,
  shard: number,
): Promise<{ readonly place: ErasurePlace | null; readonly revision: number }> {
  const entry = await kv.get(keyOf(shard));
  if (entry?.operation !== "PUT") return { place: null, revision: 0 };
  const { revision } = entry;
  try {
    const read = erasurePlace.safeParse(JSON.parse(entry.string()));
    return { place: read.success ? read.data : null, revision };
  } catch {
    return { place: null, revision };
  }
}

/**
 * Keeps where erasure is.
 * @param revision of what was kept before; 0 when nothing was
 * @returns the new revision @throws when somebody else has kept something since
 */
export async function keepErasurePlace(
  kv: KV,
  shard: number,
  place: ErasurePlace,
  revision: number,
): Promise<number> {
  const text = JSON.stringify(place);
  return await (revision === 0 ? kv.create(keyOf(shard), text) : kv.update(keyOf(shard), text, revision));
}

/** Has every tombstone looked at again: what was put back into the ledger may be of an erased task. */
export async function restartErasure(kv: KV, shard: number): Promise<void> {
  const place: ErasurePlace = { epoch: "", seq: 0, waiting: 0, held_up_by: null };
  await kv.put(keyOf(shard), JSON.stringify(place));
}
