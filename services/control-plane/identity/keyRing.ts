/**
 * The keys that workload tokens are signed with, and when each is what. Pure: the states follow from the times in the
 * ring and from nothing else, so every replica has the same answer.
 *
 * `next`: published, does not sign yet, so that verifiers have it before they need it. `active`: signs. `retiring`:
 * signs no more, and is published until the last token that it may have signed has ended. `retired`: not published.
 * The active key is the one whose `signs_from` is the latest that has come; INV-ONE-SIGNS: there is always one. A revoked key is
 * in the ring no more: only that it was is noted.
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

/** What is known of a key that was revoked, until the last token that it may have signed has ended. */
export interface RevokedKey extends Pick<RingKey, "kid" | "created_at" | "signs_from"> {
  readonly revoked_at: number;
  /** Actor. */
  readonly revoked_by: string;
}

export interface KeyRing {
  /** By `signs_from`, oldest first. */
  readonly keys: readonly RingKey[];
  /** Not among `keys`, so that a replica that does not know of revocations takes none of them for good. */
  readonly revoked: readonly RevokedKey[];
}

export const noKeys: KeyRing = { keys: [], revoked: [] };

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

/**
 * The key that signs now; null in an empty ring alone. One whose private half is gone does not, however far behind the
 * clock is that asks.
 */
export function activeKey(ring: KeyRing, now: number): RingKey | null {
  const able = ring.keys.filter(({ sealed }) => sealed !== null);
  return able.findLast((key) => key.signs_from <= now) ?? able[0] ?? null;
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
  if (active === null) return { ...ring, keys: [{ ...fresh, created_at: at, signs_from: at }] };
  if (active.kid !== replaces) return ring;
  const next = ring.keys.find((key) => key.signs_from > at);
  if (next !== undefined) return soon ? signsNow(ring, next, at) : ring;
  const signs_from = soon ? at : at + timing.leadMs;
  const tidy = tidied(ring, at, timing);
  return { ...tidy, keys: [...tidy.keys, { ...fresh, created_at: at, signs_from }] };
}

/**
 * The ring without a key that others may have: it is published no more, so what it signed is refused from now on. Where it was
 * the one that signs, the next one does so at once, or a fresh one.
 * @returns the same ring where the key is revoked already; null where there is no such key
 */
export function revoke(
  ring: KeyRing,
  fresh: FreshKey,
  wish: { readonly kid: string; readonly at: number; readonly by: string },
): KeyRing | null {
  if (ring.revoked.some(({ kid }) => kid === wish.kid)) return ring;
  const gone = ring.keys.find(({ kid }) => kid === wish.kid);
  if (gone === undefined) return null;
  const { kid, created_at, signs_from } = gone;
  const note = { kid, created_at, signs_from, revoked_at: wish.at, revoked_by: wish.by };
  const left = { keys: ring.keys.filter((key) => key !== gone), revoked: [...ring.revoked, note] };
  if (gone !== activeKey(ring, wish.at)) return left;
  const next = left.keys.find((key) => key.signs_from > wish.at);
  if (next !== undefined) return signsNow(left, next, wish.at);
  return { ...left, keys: [...left.keys, { ...fresh, created_at: wish.at, signs_from: wish.at }] };
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
  const revoked = ring.revoked.filter(({ revoked_at }) => now < revoked_at + timing.retainMs);
  const isTidy =
    keys.length === ring.keys.length &&
    keys.every((key, index) => key === ring.keys[index]) &&
    revoked.length === ring.revoked.length;
  return isTidy ? ring : { keys, revoked };
}

function signsNow(ring: KeyRing, next: RingKey, at: number): KeyRing {
  return { ...ring, keys: ring.keys.map((key) => (key === next ? { ...key, signs_from: at } : key)) };
}
