import { describe, expect, it } from "vitest";
import { differences } from "./differences.ts";

describe("differences", () => {
  it("names each member that differs, by JSON pointer, with what each side has", () => {
    const first = { command: ["a"], limits: { cpu: 1, memory: 2 }, "x/y": 1, same: { deep: [1] } };
    const second = { command: ["b"], limits: { cpu: 1, memory: 3 }, same: { deep: [1] }, more: null };
    expect(differences(first, second, "/spec")).toEqual([
      { pointer: "/spec/command", first: ["a"], second: ["b"] },
      { pointer: "/spec/limits/memory", first: 2, second: 3 },
      { pointer: "/spec/more", second: null },
      { pointer: "/spec/x~1y", first: 1 },
    ]);
    expect(differences(first, first)).toEqual([]);
  });
});
