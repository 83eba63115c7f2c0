import { describe, expect, it } from "vitest";
import type { FleetEntry } from "../../../schemas/messages/fleet.ts";
import type { NodeRegistration } from "../../../schemas/messages/node.ts";
import { boundNode, changeFleet, mayNotBegin } from "./fleet.ts";

const bounds = {
  labels: { zone: "a" },
  tags: ["big"],
  tenants: ["acme"],
  slots: 2,
  networks: ["none"],
  mounts: ["/srv/data"],
};
const entry = (more: Partial<FleetEntry> = {}): FleetEntry => ({
  bounds,
  state: "active",
  account: "A1",
  by: "user:admin",
  changed_at: 1,
  ...more,
});
const said: NodeRegistration = {
  node: "n1",
  runtime: "docker",
  labels: { zone: "a" },
  tags: ["big"],
  slots: 2,
  cpus: 4,
  memory_bytes: 1,
  mount_allowlist: ["/srv/data/in"],
  networks: ["none"],
  engine: null,
  unavailable: null,
  registered_at: 1,
};

describe("a node that registers", () => {
  it("within its declaration is taken as it says", () => {
    expect(boundNode(said, entry())).toEqual({ ...said, state: "active", tenants: ["acme"], clipped: [] });
  });

  it("beyond its declaration is taken for what is declared, and each excess is named", () => {
    const greedy = {
      ...said,
      labels: { zone: "b", gpu: "yes" },
      tags: ["big", "fast"],
      slots: 64,
      networks: ["none", "bridge"],
      mount_allowlist: ["/srv/data", "/srv/database", "/"],
    };
    const known = boundNode(greedy, entry());
    expect(known).toMatchObject({
      labels: {},
      tags: ["big"],
      slots: 2,
      networks: ["none"],
      mount_allowlist: ["/srv/data"],
    });
    expect(known.clipped).toEqual([
      "label zone is not declared",
      "label gpu is not declared",
      "tag fast is not declared",
      "network bridge is not declared",
      "mount /srv/database is not declared",
      "mount / is not declared",
      "64 slots are more than the 2 declared",
    ]);
  });

  it("without a declaration is of the services, and nothing bounds it", () => {
    expect(boundNode({ ...said, slots: 64 }, undefined)).toMatchObject({
      slots: 64,
      tenants: null,
      clipped: [],
    });
  });

  it("takes no work while it is cordoned or draining, whatever its engine says", () => {
    const states = (["cordoned", "draining"] as const).map((state) => boundNode(said, entry({ state })));
    expect(states.map((one) => one.unavailable)).toEqual(["cordoned", "draining"]);
  });
});

describe("an attempt", () => {
  it("does not begin on a node that takes none, or none of its tenant", () => {
    expect(mayNotBegin("n1", entry({ state: "draining" }), "acme")).toBe("node n1 is draining");
    expect(mayNotBegin("n1", entry(), "other")).toBe("node n1 is not declared for this tenant");
    expect([mayNotBegin("n1", entry(), "acme"), mayNotBegin("local", undefined, "any")]).toEqual([
      null,
      null,
    ]);
  });
});

describe("a change of the fleet", () => {
  const unknown = { registered: false, online: false };
  const local = { registered: true, online: true };
  const declare = { kind: "declare", bounds, account: "A2" } as const;

  it("declares a node, and keeps its state and account when only its bounds change", () => {
    expect(changeFleet(undefined, declare, unknown)).toEqual({ bounds, state: "active", account: "A2" });
    const narrowed = { ...declare, bounds: { ...bounds, slots: 1 }, account: null };
    expect(changeFleet(entry({ state: "cordoned" }), narrowed, unknown)).toMatchObject({
      bounds: { slots: 1 },
      state: "cordoned",
      account: "A1",
    });
  });

  it("declares a removed node anew", () => {
    expect(changeFleet(entry({ state: "removed" }), declare, unknown)).toMatchObject({
      state: "active",
      account: "A2",
    });
  });

  it("does not take the name of a node in the services' account, nor remove one that lives", () => {
    expect(changeFleet(undefined, declare, local)).toBe("NODE_NOT_STANDALONE");
    expect(changeFleet(undefined, { kind: "remove", running: 0, force: true }, local)).toBe(
      "NODE_NOT_STANDALONE",
    );
  });

  it("cordons any node that is there, and none that is not", () => {
    const cordon = { kind: "state", state: "cordoned" } as const;
    expect(changeFleet(undefined, cordon, local)).toMatchObject({ bounds: null, state: "cordoned" });
    expect(changeFleet(undefined, cordon, unknown)).toBe("NODE_NOT_FOUND");
    expect(changeFleet(entry({ state: "removed" }), cordon, unknown)).toBe("NODE_NOT_FOUND");
  });

  it("does not remove a node that runs something unless forced, and removes again what is removed", () => {
    const remove = { kind: "remove", running: 1, force: false } as const;
    expect(changeFleet(entry(), remove, unknown)).toBe("NODE_BUSY");
    expect(changeFleet(entry(), { ...remove, force: true }, unknown)).toMatchObject({
      state: "removed",
      account: "A1",
    });
    expect(changeFleet(entry({ state: "removed" }), { ...remove, running: 0 }, unknown)).toMatchObject({
      account: "A1",
    });
  });
});
