import { describe, expect, it } from "vitest";
import { approvalId } from "./approvalId.ts";
import { type ApprovalEntry, decideApproval, waitingApprovals } from "./decideApproval.ts";

const call = {
  runId: "r",
  agentSha256: "a",
  policySha256: "p",
  callIndex: 0,
  tool: "echo",
  args: { path: "a.txt" },
};
const asked: ApprovalEntry = {
  type: "approval_request",
  approval_id: "x",
  at_ms: 1,
  run_id: "r",
  tool: "t",
  args: {},
};
const decided = (decision: "allow" | "deny", at_ms = 2): ApprovalEntry => ({
  type: "approval_decision",
  approval_id: "x",
  at_ms,
  decision,
  reason: null,
});
const used: ApprovalEntry = { type: "approval_use", approval_id: "x", at_ms: 3, run_id: "r" };
const stateOf = (entries: ApprovalEntry[], nowMs = 10, maxAgeMs: number | null = null) =>
  decideApproval(entries, "x", { nowMs, maxAgeMs }).state;

describe("an approval's id", () => {
  it("differs with everything that it is bound to", () => {
    const others = [
      { runId: "s" },
      { agentSha256: "b" },
      { policySha256: null },
      { callIndex: 1 },
      { tool: "ech" },
      { args: { path: "š.txt" } },
      { args: {} },
    ].map((change) => approvalId({ ...call, ...change }));
    expect(new Set([approvalId(call), ...others]).size).toBe(others.length + 1);
  });

  it("does not differ with the order of members", () => {
    const [one, other] = [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
    ];
    expect(approvalId({ ...call, args: one })).toBe(approvalId({ ...call, args: other }));
  });

  it("has a form for half surrogates", () => {
    expect(approvalId({ ...call, args: { a: "\ud800" } })).not.toBe(
      approvalId({ ...call, args: { a: "\ufffd" } }),
    );
  });
});

describe("what the log says", () => {
  it("waits without a decision, and takes the newest one", () => {
    expect(stateOf([])).toBe("pending");
    expect(stateOf([asked])).toBe("pending");
    expect(stateOf([asked, decided("allow")])).toBe("granted");
    expect(stateOf([asked, decided("allow"), decided("deny")])).toBe("denied");
    expect(stateOf([asked, decided("deny"), decided("allow")])).toBe("granted");
  });

  it("is used up by one use, until it is decided again", () => {
    expect(stateOf([asked, decided("allow"), used])).toBe("used");
    expect(stateOf([asked, decided("allow"), used, decided("allow", 4)])).toBe("granted");
  });

  it("is stale after its age, not at it, and when it comes from the future", () => {
    expect(stateOf([decided("allow", 0)], 10, 10)).toBe("granted");
    expect(stateOf([decided("allow", 0)], 11, 10)).toBe("stale");
    expect(stateOf([decided("allow", 20)], 10, 10)).toBe("stale");
  });

  it("lists what waits", () => {
    expect(waitingApprovals([asked])).toMatchObject([{ approval_id: "x", tool: "t" }]);
    expect(waitingApprovals([asked, decided("allow")])).toEqual([]);
    expect(waitingApprovals([asked, decided("allow"), used, asked])).toHaveLength(1);
  });
});
