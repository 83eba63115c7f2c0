import { describe, expect, it } from "vitest";
import { offersOf } from "./nodeView.ts";
import { WishReader } from "./placement.ts";

const GiB = 1024 ** 3;

describe("what a task asks of the scheduler", () => {
  it("is the default where a spec of an earlier version says nothing", () => {
    expect(new WishReader().readText("acme", "{}")).toEqual({
      kind: {
        tenant: "acme",
        placement: {
          selector: { node: null, labels: {} },
          tags: [],
          network: "bridge",
          mounts: [],
          scriptTools: null,
        },
      },
      needs: { slots: 1, nanoCpus: 1e9, memoryBytes: GiB / 2 },
      priority: 0,
      concurrency: null,
    });
  });

  it("is of one kind where tenant and placement are equal, whatever else differs", () => {
    const reader = new WishReader();
    const one = reader.read("acme", { tags: ["ssd"], priority: 5, concurrency_key: "db" });
    const other = reader.read("acme", { tags: ["ssd"], resources: { cpus: 2, memory: GiB } });
    expect(other.kind).toBe(one.kind);
    const others = reader.read("other", { tags: ["ssd"], concurrency_key: "db" });
    expect(others.kind).not.toBe(one.kind);
    expect(others.kind.placement).toBe(one.kind.placement);
    // A key counts in its tenant alone.
    expect(others.concurrency?.id).not.toBe(one.concurrency?.id);
  });
});

describe("what the tasks on a node may declare together", () => {
  const machine = { slots: 8, cpus: 2, memory_bytes: 16 * GiB };

  it("is one CPU a slot where the node does not say, and all of its memory", () => {
    expect(offersOf(machine)).toEqual({ slots: 8, nanoCpus: 8e9, memoryBytes: 16 * GiB });
    expect(offersOf({ ...machine, cpus: 64 }).nanoCpus).toBe(64e9);
  });

  it("is what the node says, of memory never more than the machine has", () => {
    expect(offersOf({ ...machine, offered_cpus: 2.5, offered_memory_bytes: 4 * GiB })).toMatchObject({
      nanoCpus: 2.5e9,
      memoryBytes: 4 * GiB,
    });
    expect(offersOf({ ...machine, offered_memory_bytes: 64 * GiB }).memoryBytes).toBe(16 * GiB);
  });
});
