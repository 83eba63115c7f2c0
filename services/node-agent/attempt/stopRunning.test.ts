import { expect, it } from "vitest";
import { endedByStop } from "./stopRunning.ts";

it("an exit before the first SIGTERM keeps its own outcome", () => {
  expect(endedByStop(1_000, { exitCode: 0, finishedAt: 999 })).toBe(false);
  expect(endedByStop(1_000, { exitCode: 0, finishedAt: 1_000 })).toBe(true);
});

it("the exit code of the signal that was sent outweighs an engine's clock that is behind", () => {
  expect(endedByStop(1_000, { exitCode: 143, finishedAt: 10 })).toBe(true);
  expect(endedByStop(1_000, { exitCode: 137, finishedAt: 10 })).toBe(true);
});
