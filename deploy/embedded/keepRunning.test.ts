import { expect, it } from "vitest";
import { keepRunning, type Restartable, restartPauseMs } from "./keepRunning.ts";

function server(): Restartable & { end: (how: string) => void } {
  let end: (how: string) => void = () => {};
  const exited = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { exited, end, stop: async () => end("stopped") };
}

it("starts a server again that ended unasked, also when a restart fails, and says so", async () => {
  const said: string[] = [];
  const log = { info: () => {}, warn: (message: string) => void said.push(message) };
  const first = server();
  const second = server();
  let restarted: () => void = () => {};
  const again = new Promise<void>((resolve) => {
    restarted = resolve;
  });
  let attempts = 0;
  const restart = async () => {
    if (attempts++ === 0) throw new Error("the port is taken");
    restarted();
    return second;
  };
  const kept = keepRunning({ name: "the server", first, restart, log, monotonicMs: () => 0 });
  first.end("ended by SIGKILL");
  await again;
  await kept.stop();
  expect(await second.exited).toBe("stopped");
  expect(attempts).toBe(2);
  expect(said).toEqual([
    "the server ended by SIGKILL; it is started again",
    "the server did not start: the port is taken",
  ]);
});

it("backs off to a limit", () => {
  expect([0, 1, 2, 3].map(restartPauseMs)).toEqual([200, 400, 800, 1600]);
  expect(restartPauseMs(1_000)).toBe(10_000);
});
