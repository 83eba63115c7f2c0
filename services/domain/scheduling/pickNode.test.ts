import { describe, expect, it } from "vitest";
import { refuseMounts } from "./mountRule.ts";
import { explainPending, pickNode } from "./pickNode.ts";
import type { NodeView, Placement } from "./placement.ts";

const node = (name: string, more: Partial<NodeView> = {}): NodeView => ({
  node: name,
  labels: {},
  tags: [],
  slots: 4,
  used: 0,
  networks: ["bridge", "none"],
  mount_allowlist: ["/srv/data"],
  cpus: 2,
  memory_bytes: 8e9,
  online: true,
  unavailable: null,
  ...more,
});
const task = (more: Partial<Placement> = {}): Placement => ({
  selector: { node: null, labels: {} },
  tags: [],
  network: "bridge",
  mounts: [],
  resources: { cpus: 1, memory: 5e8 },
  ...more,
});

describe("the choice of a node", () => {
  it("takes the node with the largest free share, by name where they are equal", () => {
    const views = [node("c"), node("b"), node("a", { used: 1 }), node("big", { slots: 100, used: 50 })];
    expect(pickNode(task(), views)).toEqual({ node: "b" });
  });

  it.each([
    ["another node is named", { selector: { node: "x", labels: {} } }, {}, "node"],
    [
      "a label is missing",
      { selector: { node: null, labels: { gpu: "a100" } } },
      { labels: { gpu: "t4" } },
      "labels",
    ],
    ["a tag is missing", { tags: ["eu", "ssd"] }, { tags: ["eu"] }, "tags"],
    ["its network is not offered", { network: "lab" }, {}, "network"],
    ["a path is not offered for mounting", { mounts: [{ source: "/srv/database" }] }, {}, "mounts"],
    ["it has too few CPUs", { resources: { cpus: 3, memory: 1 } }, {}, "resources"],
    ["it has too little memory", { resources: { cpus: 1, memory: 9e9 } }, {}, "resources"],
    ["it is offline", {}, { online: false }, "offline"],
    ["it says that it cannot", {}, { unavailable: "no Docker engine" }, "unavailable"],
    ["it is full", {}, { used: 4 }, "slots"],
  ] as const)("passes a node by when %s", (_why, wanted, view, rule) => {
    expect(
      pickNode(task(wanted as Partial<Placement>), [node("n1", view as Partial<NodeView>)]),
    ).toMatchObject([{ node: "n1", rule }]);
  });

  it("takes a node that has all labels and tags asked for, and more", () => {
    const view = node("n1", { labels: { gpu: "a100", zone: "b" }, tags: ["eu", "ssd"] });
    const wanted = task({ selector: { node: "n1", labels: { gpu: "a100" } }, tags: ["ssd"] });
    expect(pickNode(wanted, [view])).toEqual({ node: "n1" });
  });

  it("says of each node why a task waits, and nothing when one would take it", () => {
    const views = [node("a", { online: false }), node("b", { used: 4 })];
    expect(explainPending(task(), views)).toBe("node a: it is offline; node b: all its 4 slots are in use");
    expect(explainPending(task(), [])).toBe("no node is registered");
    expect(explainPending(task(), [node("c")])).toBeNull();
  });
});

describe("a mount", () => {
  const mounts = [{ source: "/srv/data/in" }, { source: "/home/ada" }];

  it("that no known node offers is refused, pointing at it", () => {
    expect(refuseMounts(mounts, [node("a"), node("b", { mount_allowlist: [] })])).toMatchObject({
      code: "MOUNT_NOT_ALLOWED",
      details: [{ pointer: "/mounts/1/source" }],
    });
  });

  it("that any node offers is left to the scheduler, and so is every mount while no node is known", () => {
    expect(refuseMounts(mounts, [node("a"), node("b", { mount_allowlist: ["/home"] })])).toBeNull();
    expect(refuseMounts(mounts, [])).toBeNull();
  });
});
