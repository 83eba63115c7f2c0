import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { stopSignals } from "./stopSignals.ts";

function setup() {
  const source = new EventEmitter();
  let now = 0;
  let endedAtOnce = 0;
  const signals = stopSignals(
    source,
    () => now,
    () => {
      endedAtOnce++;
    },
  );
  const send = (name: string, atMs: number) => {
    now = atMs;
    source.emit(name, name);
  };
  return { source, signals, send, endedAtOnce: () => endedAtOnce };
}

it("takes the same Ctrl-C delivered by terminal and by npm as one", async () => {
  const { signals, send, endedAtOnce } = setup();
  send("SIGINT", 0);
  send("SIGINT", 20);
  expect(await signals.first).toBe("SIGINT");
  expect(endedAtOnce()).toBe(0);
});

it("ends at once at a later second signal", () => {
  const { send, endedAtOnce } = setup();
  send("SIGTERM", 0);
  send("SIGINT", 2_000);
  expect(endedAtOnce()).toBe(1);
});

it("leaves the process's signals alone after its release", () => {
  const { source, signals } = setup();
  signals.release();
  expect(source.eventNames()).toEqual([]);
});
