import { expect, it } from "vitest";
import { ofItsNode } from "./exactBytes.ts";

it("takes for an attempt's output only what comes from the node that has or had it", () => {
  const attempts = [
    { attempt: 1, node: "n1" },
    { attempt: 2, node: "n2" },
  ];
  const task = { attempt: 2, node: "n2", attempts };
  expect(ofItsNode({ attempt: 1, node: "n1" }, task)).toBe(true);
  expect(ofItsNode({ attempt: 1, node: "n2" }, task)).toBe(false);
  expect(ofItsNode({ attempt: 2, node: "n1" }, task)).toBe(false);
  expect(ofItsNode({ attempt: 3, node: "n3" }, task)).toBe(true);
});

it("knows the last attempt's node without the others", () => {
  expect(ofItsNode({ attempt: 1, node: "n9" }, { attempt: 2, node: "n2" })).toBe(true);
  expect(ofItsNode({ attempt: 2, node: "n9" }, { attempt: 2, node: "n2" })).toBe(false);
});
