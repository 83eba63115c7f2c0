/**
 * The keys that workload tokens are signed with, and when each is what. Pure: the states follow from the times in the
 * ring and from nothing else, so every replica has the same answer.
 *
 * `next`: published, does not sign yet, so that verifiers have it before they need it. `active`: signs. `retiring`:
 * signs no more, and is published until the last token that it may have signed has ended. `retired`: not published.
 * The active key is the one whose `signs_from` is the latest that has come; INV-ONE-SIGNS: there is always one.
 */

/** Public half, as JWK (RFC 8037). */
export interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
}

export interface RingKey {
  /** Thumbprint of the public half (RFC 7638). */
  readonly kid: string;
  readonly public: PublicKey;
  /** The private half under the master key; null once it signs no more. */
  readonly sealed: string | null;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  readonly signs_from: number;
}

export interface KeyRing {
  /** By `signs_from`, oldest first. */
  readonly keys: readonly RingKey[];
}

export type KeyState = "next" | "active" | "retiring" | "retired";

/** How long things last, in milliseconds. */
export interface KeyTiming {
  /** From a key's publishing to its first signature. */
  readonly leadMs: number;
  /** Longest life of a token, and the difference between clocks. */
  readonly retainMs: number;
}

/** A key that was made for a ring and is in none yet. */
export type FreshKey = Pick<RingKey, "kid" | "public" | "sealed">;

/** What each key is at `now`, in the ring's order; `until` says when that ends, null where nothing is planned. */
export function keyStates(
  ring: KeyRing,
  now: number,
  timing: Pick<KeyTiming, "retainMs">,
): readonly { readonly key: RingKey; readonly state: KeyState; readonly until: number | null }[] {
  return ring.keys.map((key, index) => {
    if (key.signs_from > now) return { key, state: "next", until: key.signs_from };
    const successor = ring.keys[index + 1];
    if (successor === undefined || successor.signs_from > now) {
      return { key, state: "active", until: successor?.signs_from ?? null };
    }
    const until = successor.signs_from + timing.retainMs;
    return now < until ? { key, state: "retiring", until } : { key, state: "retired", until: null };
  });
}

/** The key that signs now; null in an empty ring alone. */
export function activeKey(ring: KeyRing, now: number): RingKey | null {
  return ring.keys.findLast((key) => key.signs_from <= now) ?? ring.keys[0] ?? null;
}

/** The keys that verifiers need now. */
export function publishedKeys(ring: KeyRing, now: number, timing: KeyTiming): readonly RingKey[] {
  return keyStates(ring, now, timing)
    .filter(({ state }) => state !== "retired")
    .map(({ key }) => key);
}

/** True when nobody asked for a successor yet and the active key is older than `ageMs`. */
export function isDueToRotate(ring: KeyRing, now: number, ageMs: number): boolean {
  const newest = ring.keys.at(-1);
  return newest !== undefined && newest.signs_from <= now && now - newest.signs_from >= ageMs;
}

/**
 * The ring after a wish to have another key than `replaces` sign.
 * A wish that was granted already changes nothing: another key signs, or is published to do so. So a rotation that is
 * repeated because its answer was lost, or that two people ask for at once, is one rotation.
 * @param at now; with `soon` false the new key signs after the lead
 * @returns the same ring where nothing is to do
 */
export function rotate(
  ring: KeyRing,
  fresh: FreshKey,
  wish: { readonly replaces: string | null; readonly at: number; readonly soon: boolean },
  timing: KeyTiming,
): KeyRing {
  const { replaces, at, soon } = wish;
  const active = activeKey(ring, at);
  if (active === null) return { keys: [{ ...fresh, created_at: at, signs_from: at }] };
  if (active.kid !== replaces) return ring;
  const next = ring.keys.find((key) => key.signs_from > at);
  if (next !== undefined) return soon ? signsNow(ring, next, at) : ring;
  const signs_from = soon ? at : at + timing.leadMs;
  return { keys: [...tidied(ring, at, timing).keys, { ...fresh, created_at: at, signs_from }] };
}

/**
 * Without what nobody needs any more: retired keys, and private halves a lead after they signed last, when no clock is
 * so far behind that its replica would still sign.
 */
export function tidied(ring: KeyRing, now: number, timing: KeyTiming): KeyRing {
  const states = keyStates(ring, now, timing);
  const keys = states
    .filter(({ state }) => state !== "retired")
    .map(({ key, state, until }) => {
      const signedLast = (until ?? now) - timing.retainMs;
      const isSpent = state === "retiring" && key.sealed !== null && now - signedLast >= timing.leadMs;
      return isSpent ? { ...key, sealed: null } : key;
    });
  const isTidy = keys.length === ring.keys.length && keys.every((key, index) => key === ring.keys[index]);
  return isTidy ? ring : { keys };
}

function signsNow(ring: KeyRing, next: RingKey, at: number): KeyRing {
  return { keys: ring.keys.map((key) => (key === next ? { ...key, signs_from: at } : key)) };
}
