import type { KV } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerOnNats, silentLog } from "../../../test/support/ledgerOnNats.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { systemClock } from "../../kernel/clock.ts";
import { openMasterKey } from "../../kernel/sealing/masterKey.ts";
import { testIdentity } from "../testing/apiFixture.ts";
import { type Identity, openIdentity } from "./identity.ts";

const server = withNats();
const master = openMasterKey("the master key of a whole test fleet");
let parts: Awaited<ReturnType<typeof ledgerOnNats>>;
const opened: Identity[] = [];

beforeAll(async () => {
  parts = await ledgerOnNats(server);
});
afterAll(async () => {
  for (const one of opened) one.stop();
  await parts?.nats.close();
});

/** A replica of the control plane. */
async function replica(kv?: KV, key = master): Promise<Identity> {
  const ports = { ledger: parts.ledger, master: key, clock: systemClock, log: silentLog };
  const own = kv ?? (await parts.nats.js.views.kv("keys"));
  const identity = await openIdentity({ kv: own, ...ports }, testIdentity);
  opened.push(identity);
  return identity;
}

const statesOf = (identity: Identity) => identity.keys().map(({ state }) => state);
const kidsOf = (identity: Identity) => identity.keys().map(({ kid }) => kid);

describe("the signing keys of a fleet", () => {
  it("are one key for replicas that begin at the same time, and another master key is told of at the start", async () => {
    const [one, two] = await Promise.all([replica(), replica()]);
    await waitFor("the same key", () => kidsOf(two!).join() === kidsOf(one!).join());
    expect(statesOf(one!)).toEqual(["active"]);
    const foreign = openMasterKey("the master key of some other fleet");
    await expect(replica(undefined, foreign)).rejects.toMatchObject({ code: "MASTER_KEY_WRONG" });
  });

  it("get one successor from two rotations at once, at once or with time to publish, and every replica follows", async () => {
    const [one, two, watching] = await Promise.all([replica(), replica(), replica()]);
    for (const soon of [false, true, true]) {
      const replaces = one!.keys().find(({ state }) => state === "active")!.kid;
      const before = one!.keys().length;
      const hadNext = statesOf(one!).includes("next");
      const done = await Promise.all([one!, two!].map((each) => each.rotate({ soon, replaces })));
      expect(done[0]!.map(({ kid }) => kid)).toEqual(done[1]!.map(({ kid }) => kid));
      expect(done[0]).toHaveLength(hadNext ? before : before + 1);
      await waitFor("all follow", () =>
        [one!, two!, watching!].every(
          (each) => kidsOf(each).join() === done[0]!.map(({ kid }) => kid).join(),
        ),
      );
    }
    expect(statesOf(watching!)).toEqual(["retiring", "retiring", "active"]);
  });

  it("are fewer on every replica at once when one is revoked, and one of two that revoke it makes the next", async () => {
    const [one, two, watching] = await Promise.all([replica(), replica(), replica()]);
    const kid = one!.keys().find(({ state }) => state === "active")!.kid;
    const done = await Promise.all([one!, two!].map((each) => each.revoke(kid, "user:ada")));
    expect(done[0]).toEqual(done[1]);
    await waitFor("all follow", () =>
      [one!, two!, watching!].every((each) => each.jwks().keys.every((key) => key.kid !== kid)),
    );
    expect(statesOf(watching!).filter((state) => state === "active")).toHaveLength(1);
    expect(statesOf(watching!)).toContain("revoked");
  });

  it("are rotated once when the process died before the write, or after it and before the answer", async () => {
    const real = await parts.nats.js.views.kv("keys");
    for (const dies of ["before", "after"] as const) {
      const dying = Object.assign(Object.create(real), {
        put: async (...given: Parameters<KV["put"]>) => {
          if (dies === "after") await real.put(...given);
          throw new Error("killed");
        },
      });
      const [doomed, heir] = [await replica(dying), await replica()];
      const replaces = heir.keys().find(({ state }) => state === "active")!.kid;
      const before = heir.keys().length;
      await expect(doomed.rotate({ soon: true, replaces })).rejects.toMatchObject({
        code: "KEYS_UNAVAILABLE",
      });
      const after = await heir.rotate({ soon: true, replaces });
      expect(after).toHaveLength(before + 1);
      expect(after.at(-1)!.state).toBe("active");
    }
  });
});
