import type { KV } from "nats";
import { z } from "zod";
import { Retryable } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { isWrongSequence } from "../../kernel/nats/natsError.ts";
import { type KeyRing, noKeys } from "./keyRing.ts";

/** One value holds the whole ring, so that a rotation is one write and never half done. */
const RING = "ring";
/** Somebody else was faster this many times in a row: more is not contention but a fault. */
const CONFLICTS_MAX = 20;

const keyRing = z.object({
  keys: z.array(
    z.object({
      kid: z.string(),
      public: z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string() }),
      sealed: z.string().nullable(),
      created_at: z.number(),
      signs_from: z.number(),
    }),
  ),
  // Rings of older versions have none.
  revoked: z
    .array(
      z.object({
        kid: z.string(),
        created_at: z.number(),
        signs_from: z.number(),
        revoked_at: z.number(),
        revoked_by: z.string(),
      }),
    )
    .default([]),
});

/** The ring as the fleet has it; every replica follows it. */
export interface KeyStore {
  /** As last seen. */
  ring(): KeyRing;
  /**
   * Writes what `decide` makes of the newest ring, deciding again when somebody was faster; the same ring back means
   * that nothing is to do. @returns the ring that is stored then
   * @throws Retryable `KEYS_UNAVAILABLE`
   */
  change(decide: (ring: KeyRing) => KeyRing): Promise<KeyRing>;
  stop(): void;
}

/** Opens the bucket `keys` and follows it. @throws Retryable `KEYS_UNAVAILABLE` */
export async function openKeyStore(kv: KV, log: Log): Promise<KeyStore> {
  let revision = 0;
  let ring: KeyRing = noKeys;
  const see = (seen: { readonly ring: KeyRing; readonly revision: number }) => {
    if (seen.revision >= revision) ({ ring, revision } = seen);
  };
  const read = async () => {
    const entry = await kv.get(RING);
    const seen =
      entry === null || entry.operation !== "PUT"
        ? { ring: noKeys, revision: entry?.revision ?? 0 }
        : { ring: keyRing.parse(entry.json()), revision: entry.revision };
    see(seen);
    return seen;
  };
  const entries = await known(async () => {
    await read();
    return kv.watch({ key: RING });
  });
  void (async () => {
    for await (const entry of entries) {
      const read = entry.operation === "PUT" ? keyRing.safeParse(entry.json()) : null;
      if (read?.success) see({ ring: read.data, revision: entry.revision });
      else log.error({ revision: entry.revision }, "the ring of signing keys cannot be read");
    }
  })().catch((error: unknown) => log.error({ error }, "watching the signing keys ended"));
  return {
    ring: () => ring,
    change: (decide) =>
      known(async () => {
        for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
          const newest = await read();
          const wanted = decide(newest.ring);
          if (wanted === newest.ring) return wanted;
          try {
            const stored = await kv.put(RING, JSON.stringify(wanted), { previousSeq: newest.revision });
            see({ ring: wanted, revision: stored });
            return wanted;
          } catch (error) {
            if (!isWrongSequence(error)) throw error;
          }
        }
        throw new Error("the ring kept changing");
      }),
    stop: () => entries.stop(),
  };
}

async function known<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Retryable("KEYS_UNAVAILABLE", "The signing keys cannot be read or written now.", { cause });
  }
}
