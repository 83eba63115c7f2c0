/** A parent sets its answer and then wakes the guest; the guest may be up before, and waiting for the next one. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { loadEngine } from "./engineModule.ts";
import { startGuestThread } from "./guestThread.ts";

/** As of a parent that is interrupted between the two: each wake-up comes again, when the guest may wait anew. */
async function withLateWakeUps<T>(work: () => Promise<T>): Promise<T> {
  const { notify } = Atomics;
  Atomics.notify = ((cell: Int32Array, index: number) => {
    setTimeout(() => notify(cell, index), 10);
    return notify(cell, index);
  }) as typeof notify;
  try {
    return await work();
  } finally {
    Atomics.notify = notify;
  }
}

it("is answered what it asked, however late the wake-up for the answer before comes", async () => {
  const asked: unknown[] = [];
  const end = await withLateWakeUps(() =>
    startGuestThread({ engine: loadEngine(), heapMbMax: Promise.resolve(64) }).run(
      {
        begin: JSON.stringify({ start_ms: 0, seed: 1, context: {}, scheduled: false }),
        source: `let told = "";
          for (let n = 0; n < 4; n++) try { emit({ told }) } catch (error) { told = error.message }`,
        sourceName: "a.js",
        packageMains: {},
        replay: [],
        microtasksMax: 100,
        pollsMax: null,
      },
      { timeoutMs: 60_000 },
      async ([op, argument]) => {
        if (op !== "emit") return { value: null };
        asked.push(JSON.parse(argument));
        await pause(30);
        return { value: JSON.stringify(["e", "Error", `answer ${asked.length}`]) };
      },
    ),
  );
  expect(end.reason).toBeNull();
  expect(asked).toEqual(["", "answer 1", "answer 2", "answer 3"].map((told) => ({ told })));
});
