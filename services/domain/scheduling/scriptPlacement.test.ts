import { describe, expect, it } from "vitest";
import { GiB } from "./givenCluster.ts";
import { type NodeView, offersOf } from "./nodeView.ts";
import { WishReader } from "./placement.ts";
import { placementMisfit } from "./rules.ts";

const size = { slots: 4, cpus: 4, memory_bytes: 8 * GiB };
const node: NodeView = {
  node: "a",
  labels: {},
  tags: [],
  tenants: null,
  networks: [],
  mount_allowlist: [],
  ...size,
  offers: offersOf(size),
  script_tools: ["echo"],
  unavailable: "no Docker engine",
};

/** Why `view` does not take a script with these tools; null when it does. */
const misfit = (tools: readonly string[], view: NodeView) =>
  placementMisfit(new WishReader().read("acme", { script: { tools } }).kind.placement, view)?.message ?? null;

describe("a script", () => {
  it("runs on a node that offers a compartment and all its tools, also without an engine or a network", () => {
    expect(misfit([], node)).toBeNull();
    expect(misfit(["echo"], node)).toBeNull();
    expect(misfit(["echo", "osv.query"], node)).toBe("it does not offer the tool osv.query to scripts");
  });

  it("runs on no node that does not offer one, nor on one that operators closed", () => {
    expect(misfit([], { ...node, unavailable: null, script_tools: null })).toBe("it runs no scripts");
    const { script_tools: _, ...older } = node;
    expect(misfit([], older)).toBe("it runs no scripts");
    expect(misfit([], { ...node, closed: "draining" })).toBe("draining");
  });

  it("whose commands are tasks needs no node with commands, and is told so when it waits for one", () => {
    const ofTask = (script_tools: string[]) =>
      placementMisfit(
        new WishReader().read("acme", { script: { tools: ["process"], process_image: "alpine" } }).kind
          .placement,
        { ...node, script_tools },
      )?.message ?? null;
    expect(ofTask(["process_as_task"])).toBeNull();
    expect(ofTask(["process"])).toBe("its agent is of a version that cannot run process as a task");
    expect(misfit(["process"], { ...node, script_tools: ["process_as_task"] })).toBe(
      "it does not offer the tool process to scripts; with process_image it needs no command of the node",
    );
  });

  it("leaves containers where they were: they need the engine", () => {
    const { placement } = new WishReader().read("acme", { network: "bridge" }).kind;
    expect(placementMisfit(placement, { ...node, networks: ["bridge"] })?.rule).toBe("unavailable");
  });
});
