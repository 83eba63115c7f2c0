import { describe, expect, it } from "vitest";
import type { NodeRegistration } from "../../schemas/messages/node.ts";
import { AgentLife } from "./agentLife.ts";
import { NodeState } from "./nodeState.ts";
import type { Runtime } from "./ports.ts";

function node() {
  const disk = { full: false };
  const registered: NodeRegistration[] = [];
  let changes = 0;
  let clockMs = 0;
  const answer = { refused: false };
  const state = new NodeState({
    profile: {
      ...{ node: "n1", labels: {}, tags: [], slots: 2, offered_cpus: null, offered_memory_bytes: null },
      ...{ mount_allowlist: [], networks: ["none"] },
    },
    runtime: {
      kind: "docker",
      scriptTools: ["echo"],
      describe: async () => ({ engine: "docker 20", cpus: 2, memoryBytes: 1, unavailable: null }),
    } as unknown as Runtime,
    markers: {
      probe: async () => {
        if (disk.full) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      },
    },
    directory: {
      register: async (one) => {
        registered.push(one);
        return answer.refused ? { answer: "refused", reason: "removed" } : { answer: "taken", clipped: [] };
      },
      heartbeat: async () => {},
    },
    now: () => (clockMs += 10),
    life: new AgentLife(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    onChange: () => void changes++,
  });
  return { state, disk, answer, registered, changes: () => changes };
}

describe("a node whose disk is full", () => {
  it("says so, takes no container and no script, and takes both again once there is room", async () => {
    const { state, disk, registered, changes } = node();
    await state.refresh();
    expect(state.unavailable).toBeNull();
    disk.full = true;
    await state.refresh();
    await state.refresh();
    const reason = "nothing can be written to the node's CAZI_HOME: ENOSPC";
    expect(state.unavailable).toBe(reason);
    expect(registered.at(-1)).toMatchObject({ unavailable: reason, script_tools: null });
    disk.full = false;
    await state.refresh();
    expect(state.unavailable).toBeNull();
    expect(registered.at(-1)).toMatchObject({ unavailable: null, script_tools: ["echo"] });
    expect([registered.length, changes()]).toEqual([3, 3]);
  });
});

describe("a node that another agent has registered as", () => {
  it("registers anew when a beat tells it so, or that it is not known at all, and not for what is older than its own", async () => {
    const { state, registered } = node();
    await state.refresh();
    const mine = registered[0]!.registered_at;
    for (const [told, registrations] of [
      [undefined, 1],
      [mine, 1],
      [mine - 1, 1],
      [mine + 1, 2],
      [null, 3],
    ] as const) {
      state.compare(told);
      await state.refresh();
      expect(registered, String(told)).toHaveLength(registrations);
    }
  });

  it("does not ask again at each beat where it is refused", async () => {
    const { state, registered, answer } = node();
    answer.refused = true;
    for (let beat = 0; beat < 3; beat++) {
      await state.refresh();
      state.compare(null);
    }
    expect(registered).toHaveLength(1);
  });
});
