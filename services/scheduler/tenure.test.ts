import { describe, expect, it } from "vitest";
import { createLog } from "../kernel/log.ts";
import { watchTenure } from "./tenure.ts";

/** A lease and a fold that move when told to. */
function given() {
  const now = { held: false, position: 5, end: 9 };
  const told: (() => void)[] = [];
  let begun = 0;
  const tenure = watchTenure({
    lease: {
      held: () => now.held,
      onChange: (callback) => told.push(() => callback(now.held)),
      stop: async () => undefined,
    },
    live: {
      caughtUp: () => true,
      tasks: {
        get position() {
          return now.position;
        },
      },
      onApplied: (callback: () => void) => told.push(callback),
    } as unknown as Parameters<typeof watchTenure>[0]["live"],
    feed: { lastSeq: async () => now.end },
    log: createLog("silent", "test"),
    onBegun: () => begun++,
  });
  const change = async (to: Partial<typeof now>) => {
    Object.assign(now, to);
    for (const tell of told) tell();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { tenure, change, begun: () => begun };
}

describe("who holds the scheduler's lease", () => {
  it("acts once its fold has all that was in the ledger when it took over", async () => {
    const { tenure, change, begun } = given();
    await change({ held: true });
    expect([tenure.mayAct(), begun()]).toEqual([false, 0]);
    await change({ position: 8 });
    expect(tenure.mayAct()).toBe(false);
    await change({ position: 9, end: 20 });
    expect([tenure.mayAct(), begun()]).toEqual([true, 1]);
    tenure.stop();
  });

  it("asks anew where the ledger ends each time it takes over", async () => {
    const { tenure, change, begun } = given();
    await change({ held: true, position: 9 });
    await change({ held: false });
    expect(tenure.mayAct()).toBe(false);
    await change({ held: true, end: 12 });
    expect([tenure.mayAct(), begun()]).toEqual([false, 1]);
    await change({ position: 12 });
    expect([tenure.mayAct(), begun()]).toEqual([true, 2]);
    tenure.stop();
  });
});
