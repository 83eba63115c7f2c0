import { describe, expect, it } from "vitest";
import { pendingLines } from "./pendingLines.ts";

const node = (n: number) => ({ node: `n${n}`, rule: "tags" as const, message: "it has no tag gpu" });

describe("why a task waits, for people", () => {
  it("is one line where one node is concerned", () => {
    const reason = { message: "node n1: it has no tag gpu", nodes: [node(1)], more_nodes: 0, ahead: 0 };
    expect(pendingLines(reason)).toEqual([["pending", "node n1: it has no tag gpu"]]);
    expect(pendingLines(null)).toEqual([]);
  });

  it("names the nodes that come nearest, counts the rest, and says how many tasks go before", () => {
    const nodes = Array.from({ length: 10 }, (_, n) => node(n));
    const lines = pendingLines({ message: "none of 12 nodes takes it now", nodes, more_nodes: 2, ahead: 3 });
    expect(lines[1]).toEqual(["", "n0 (tags): it has no tag gpu"]);
    expect(lines.slice(-2)).toEqual([
      ["", "and 4 more"],
      ["ahead", "3 of the tenant's tasks go before it"],
    ]);
  });
});
