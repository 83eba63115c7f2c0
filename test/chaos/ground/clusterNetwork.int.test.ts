import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { identityOf } from "../../../deploy/bootstrap/processIdentity.mjs";
import { type ClusterNetwork, makeNetwork, removeAbandonedNetworks } from "./clusterNetwork.ts";

/** Names of the parts of a network that are there: its links and spaces. */
function partsThere(network: ClusterNetwork): readonly string[] {
  const id = network.spaceOf("n1").slice(2, 6);
  const said = (...args: readonly string[]) => execFileSync("ip", [...args], { encoding: "utf8" });
  const names = `${said("-br", "link")}${said("netns", "list")}`.match(/^cz\w+/gm) ?? [];
  return names.filter((name) => name.slice(0, -2) === `cz${id}` || name === `czb${id}`);
}

it("what a killed run left is removed, and what a living one uses is not", async () => {
  const owner = spawn("sleep", ["600"], { stdio: "ignore" });
  const of = [makeNetwork(identityOf(owner.pid!)!), makeNetwork()] as const;
  try {
    removeAbandonedNetworks();
    // A bridge, three links and three spaces.
    expect(of.map((one) => partsThere(one).length)).toEqual([7, 7]);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    of[0].cut("n1");
    removeAbandonedNetworks();
    expect(of.map((one) => partsThere(one).length)).toEqual([0, 7]);
  } finally {
    owner.kill("SIGKILL");
    for (const one of of) one.remove();
  }
  expect(partsThere(of[1])).toEqual([]);
});
