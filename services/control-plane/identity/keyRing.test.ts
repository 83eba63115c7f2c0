import { describe, expect, it } from "vitest";
import {
  activeKey,
  type FreshKey,
  isDueToRotate,
  type KeyRing,
  keyStates,
  noKeys,
  publishedKeys,
  revoke,
  rotate,
  tidied,
} from "./keyRing.ts";

const timing = { leadMs: 900, retainMs: 10_000 };
const fresh = (kid: string): FreshKey => ({
  kid,
  public: { kty: "OKP", crv: "Ed25519", x: kid },
  sealed: `sealed ${kid}`,
});
const first = rotate(noKeys, fresh("a"), { replaces: null, at: 1_000, soon: false }, timing);
const second = rotate(first, fresh("b"), { replaces: "a", at: 2_000, soon: false }, timing);
const states = (ring: KeyRing, now: number) =>
  keyStates(ring, now, timing).map(({ key, state }) => `${key.kid} ${state}`);

describe("the keys of workload tokens", () => {
  it("given an empty ring, the first key signs at once", () => {
    expect(states(first, 1_000)).toEqual(["a active"]);
    expect(activeKey(first, 1_000)?.kid).toBe("a");
  });

  it("given a rotation, the new key is published for the lead before it signs", () => {
    expect(states(second, 2_000)).toEqual(["a active", "b next"]);
    expect(states(second, 2_899)).toEqual(["a active", "b next"]);
    expect(activeKey(second, 2_899)?.kid).toBe("a");
    expect(publishedKeys(second, 2_000, timing).map(({ kid }) => kid)).toEqual(["a", "b"]);
  });

  it("given that it signs, the old one is published until the last token that it signed has ended", () => {
    expect(states(second, 2_900)).toEqual(["a retiring", "b active"]);
    expect(states(second, 12_899)).toEqual(["a retiring", "b active"]);
    expect(states(second, 12_900)).toEqual(["a retired", "b active"]);
    expect(publishedKeys(second, 12_900, timing).map(({ kid }) => kid)).toEqual(["b"]);
  });

  it("says when each state ends", () => {
    const untils = keyStates(second, 2_000, timing).map(({ until }) => until);
    expect(untils).toEqual([2_900, 2_900]);
    expect(keyStates(second, 3_000, timing).map(({ until }) => until)).toEqual([12_900, null]);
  });

  it("given a clock before all keys, the oldest signs: there is always one", () => {
    expect(activeKey(first, 0)?.kid).toBe("a");
    expect(activeKey(noKeys, 0)).toBeNull();
  });
});

describe("a rotation that is asked for again", () => {
  it("given one under way, adds no second key", () => {
    expect(rotate(second, fresh("c"), { replaces: "a", at: 2_100, soon: false }, timing)).toBe(second);
  });

  it("given that the key to replace signs no more, changes nothing, at once or not", () => {
    for (const soon of [false, true]) {
      expect(rotate(second, fresh("c"), { replaces: "a", at: 3_000, soon }, timing)).toBe(second);
    }
  });

  it("at once: has the published key sign now, and adds none", () => {
    const ring = rotate(second, fresh("c"), { replaces: "a", at: 2_100, soon: true }, timing);
    expect(states(ring, 2_100)).toEqual(["a retiring", "b active"]);
  });

  it("at once, with none published: the new key signs now and the old one stays published", () => {
    const ring = rotate(first, fresh("b"), { replaces: "a", at: 2_000, soon: true }, timing);
    expect(states(ring, 2_000)).toEqual(["a retiring", "b active"]);
  });
});

describe("what a ring drops", () => {
  it("is the private half once no clock would sign with it, and then the key", () => {
    expect(tidied(second, 3_799, timing)).toBe(second);
    const spent = tidied(second, 3_800, timing);
    expect(spent.keys.map(({ sealed }) => sealed)).toEqual([null, "sealed b"]);
    expect(states(spent, 3_800)).toEqual(["a retiring", "b active"]);
    expect(tidied(spent, 3_900, timing)).toBe(spent);
    expect(tidied(spent, 12_900, timing).keys.map(({ kid }) => kid)).toEqual(["b"]);
  });

  it("is dropped at the next rotation too", () => {
    const third = rotate(second, fresh("c"), { replaces: "b", at: 20_000, soon: false }, timing);
    expect(third.keys.map(({ kid }) => kid)).toEqual(["b", "c"]);
  });
});

describe("rotation by age", () => {
  it("is due once the newest key has signed for that long, and not while a successor waits", () => {
    expect(isDueToRotate(first, 1_999, 1_000)).toBe(false);
    expect(isDueToRotate(first, 2_000, 1_000)).toBe(true);
    expect(isDueToRotate(second, 2_500, 1_000)).toBe(false);
    expect(isDueToRotate(noKeys, 2_000, 1_000)).toBe(false);
  });
});

describe("a key that is revoked", () => {
  const by = "user:ada";
  const published = (ring: KeyRing, now: number) => publishedKeys(ring, now, timing).map(({ kid }) => kid);

  it("given the one that signs alone, is gone at once and a fresh one signs", () => {
    const ring = revoke(first, fresh("x"), { kid: "a", at: 5_000, by })!;
    expect(states(ring, 5_000)).toEqual(["x active"]);
    expect(published(ring, 5_000)).toEqual(["x"]);
    expect(ring.revoked).toMatchObject([{ kid: "a", revoked_at: 5_000, revoked_by: by }]);
  });

  it("given a next one, has that sign at once, and adds none", () => {
    const ring = revoke(second, fresh("x"), { kid: "a", at: 2_100, by })!;
    expect(states(ring, 2_100)).toEqual(["b active"]);
  });

  it("given the one that signs beside one that retires, never hands back to that", () => {
    const ring = revoke(second, fresh("x"), { kid: "b", at: 4_000, by })!;
    expect(states(ring, 4_000)).toEqual(["a retiring", "x active"]);
    const spent = revoke(tidied(second, 4_000, timing), fresh("x"), { kid: "b", at: 4_000, by })!;
    // A clock that is behind finds no private half to sign with but the fresh one.
    expect(activeKey(spent, 3_000)?.kid).toBe("x");
  });

  it("given one that does not sign, changes nothing else", () => {
    expect(states(revoke(second, fresh("x"), { kid: "a", at: 3_000, by })!, 3_000)).toEqual(["b active"]);
    expect(states(revoke(second, fresh("x"), { kid: "b", at: 2_100, by })!, 2_100)).toEqual(["a active"]);
  });

  it("again changes nothing, one that never was is none, and the note goes when its last token has ended", () => {
    const ring = revoke(first, fresh("x"), { kid: "a", at: 5_000, by })!;
    expect(revoke(ring, fresh("y"), { kid: "a", at: 6_000, by })).toBe(ring);
    expect(revoke(ring, fresh("y"), { kid: "z", at: 6_000, by })).toBeNull();
    expect(tidied(ring, 14_999, timing)).toBe(ring);
    expect(tidied(ring, 15_000, timing).revoked).toEqual([]);
    expect(rotate(ring, fresh("y"), { replaces: "x", at: 6_000, soon: true }, timing).revoked).toHaveLength(
      1,
    );
  });
});
