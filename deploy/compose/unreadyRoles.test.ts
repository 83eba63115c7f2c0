import { describe, expect, it } from "vitest";
import type { WriteGate } from "../../services/kernel/ledger/writeGate.ts";
import type { RunningRole } from "./roles/role.ts";
import { unreadyRoles } from "./unreadyRoles.ts";

const gate = (state: WriteGate["state"], open = async (): Promise<void> => undefined): WriteGate => ({
  state,
  open,
  wrote: () => undefined,
  newest: 0,
  close: () => undefined,
  stop: () => undefined,
});
const role = (name: RunningRole["name"], trouble: string | null): RunningRole => ({
  name,
  trouble: () => trouble,
  stop: async () => undefined,
});

describe("what /readyz says of roles", () => {
  it("is nothing while all of them work", () => {
    expect(unreadyRoles(gate("open"), [role("projector", null), role("relay", null)])).toEqual([]);
  });

  it("names each role in trouble, the relay as well, and a ledger that lost events", () => {
    const reasons = unreadyRoles(gate("regressed"), [
      role("projector", "Postgres does not answer"),
      role("scheduler", null),
      role("relay", "the feed is another ledger's"),
    ]);
    expect(reasons.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "LEDGER_REGRESSED the ledger has lost events; nothing is written to it until it is repaired",
      "ROLE_TROUBLED projector: Postgres does not answer",
      "ROLE_TROUBLED relay: the feed is another ledger's",
    ]);
  });

  it("has a gate that nobody opened yet checked, and survives that nobody can tell", () => {
    let asked = 0;
    const refuse = async () => {
      asked++;
      throw new Error("nobody answers");
    };
    expect(unreadyRoles(gate("closed", refuse), [])).toEqual([]);
    expect(asked).toBe(1);
  });
});
