import type { KV } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerOnNats } from "../../test/support/ledgerOnNats.ts";
import { waitFor } from "../../test/support/waitFor.ts";
import { withNats } from "../../test/support/withNats.ts";
import { systemClock } from "./clock.ts";
import { type Lease, strive } from "./lease.ts";
import type { Nats } from "./nats/connectNats.ts";

const server = withNats();
let nats: Nats;
let kv: KV;
const leases: Lease[] = [];

beforeAll(async () => {
  ({ nats } = await ledgerOnNats(server));
  kv = await nats.js.views.kv("leases");
});
afterAll(async () => {
  await Promise.all(leases.map((lease) => lease.stop()));
  await nats.close();
});

let processes = 0;
/** @param stopped a clock that stands still once told to: a process that was paused */
function open(key: string, home = "", clock = systemClock): Lease {
  const holder = { process: `p${++processes}`, home };
  const lease = strive({ kv, key, holder, lifeMs: 2_000, clock });
  leases.push(lease);
  return lease;
}

describe("a role's lease", () => {
  it("is held by one of many that strive for it, and goes on to another when freed", async () => {
    const all = [open("a.0"), open("a.0"), open("a.0")];
    const holders = () => all.filter((one) => one.held());
    const first = await waitFor("a holder", () => holders()[0]);
    expect(holders()).toHaveLength(1);
    await first.stop();
    const second = await waitFor("another holder", () => holders()[0]);
    expect(second).not.toBe(first);
    expect(holders()).toHaveLength(1);
  });

  it("is not taken from a living holder beyond its life", async () => {
    const holder = open("b.0");
    await waitFor("it to be held", () => holder.held());
    const waiter = open("b.0");
    const changes: boolean[] = [];
    waiter.onChange((held) => changes.push(held));
    const until = performance.now() + 3_000;
    await waitFor("one and a half lives to pass", () => performance.now() > until);
    expect([holder.held(), changes]).toEqual([true, []]);
  });

  it("is taken over at once by the process that holds the same home, since the other one is dead", async () => {
    await kv.put("c.0", JSON.stringify({ process: "killed", home: "/home/x" }));
    const stranger = open("c.0", "/home/y");
    const heir = open("c.0", "/home/x");
    await waitFor("the heir to hold it", () => heir.held(), { deadlineMs: 1_000 });
    expect(stranger.held()).toBe(false);
  });

  it("is no longer believed once its holder's own clock says that it may have run out", async () => {
    let now = 0;
    const clock = { now: () => 0, monotonicMs: () => now };
    const holder = open("d.0", "", clock);
    await waitFor("it to be held", () => holder.held());
    now += 1_601;
    expect(holder.held()).toBe(false);
  });

  it("is lost with the server and found again with it", async () => {
    const holder = open("e.0");
    await waitFor("it to be held", () => holder.held());
    await server.kill();
    await waitFor("it to be given up", () => !holder.held());
    await server.restart();
    await waitFor("it to be held again", () => holder.held(), { deadlineMs: 15_000 });
  });
});
