import { expect, it } from "vitest";
import { lastFigures } from "./runPeer.ts";

it("reads the figures of a peer behind whatever else its system prints", () => {
  expect(lastFigures('{"level":"info"}\nstarted\n\n{"perSecond":12.5,"startMs":3}\n')).toEqual({
    perSecond: 12.5,
    startMs: 3,
  });
});

it("refuses a last line that holds no figures", () => {
  expect(() => lastFigures('{"level":"info"}\n')).toThrow("no figures");
});
