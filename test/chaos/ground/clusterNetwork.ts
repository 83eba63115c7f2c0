/**
 * A network on this machine for a few servers. A kill -9 leaves it behind, and nothing of it says whose it was: so its
 * owner is written down before the first part of it is made, and what has an owner that is gone is removed by the next.
 */
import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identityOf, isAlive, type ProcessIdentity } from "../../../deploy/bootstrap/processIdentity.mjs";
import { findProgram } from "../../../deploy/embedded/findProgram.ts";

export const names = ["n1", "n2", "n3"] as const;
export type Name = (typeof names)[number];

/** One file a network, called after it; what is in it is its owner. */
const ownersFolder = join(tmpdir(), "cazi-cluster-networks");

export interface ClusterNetwork {
  addressOf(name: Name): string;
  /** The network space that a server is started in. */
  spaceOf(name: Name): string;
  /** Takes a server's link down, as a switch would. */
  cut(name: Name): void;
  mend(name: Name): void;
  remove(): void;
}

/** A bridge with an address of our own, and a network space a server. */
export function makeNetwork(owner: ProcessIdentity = identityOf(process.pid)!): ClusterNetwork {
  const id = randomBytes(2).toString("hex");
  const { bridge, partOf, passage } = partsOf(id);
  // Two octets of chance out of a range for tests (RFC 2544), so that two runs beside each other do not meet.
  const [high, low] = [parseInt(id.slice(0, 2), 16), parseInt(id.slice(2), 16)];
  const addressOf = (name: Name) => `198.${18 + (high % 2)}.${low}.${names.indexOf(name) + 2}`;
  noteOwner(id, owner);
  ip("link", "add", bridge, "type", "bridge");
  ip("addr", "add", `198.${18 + (high % 2)}.${low}.1/24`, "dev", bridge);
  ip("link", "set", bridge, "up");
  // An engine on this machine lets nothing pass from one port of a bridge to another but its own.
  iptables("-I", ...passage);
  for (const name of names) {
    ip("netns", "add", partOf(name));
    ip("link", "add", partOf(name), "type", "veth", "peer", "name", "eth0", "netns", partOf(name));
    ip("link", "set", partOf(name), "master", bridge, "up");
    ip("-n", partOf(name), "addr", "add", `${addressOf(name)}/24`, "dev", "eth0");
    ip("-n", partOf(name), "link", "set", "eth0", "up");
    ip("-n", partOf(name), "link", "set", "lo", "up");
  }
  return {
    addressOf,
    spaceOf: partOf,
    cut: (name) => ip("link", "set", partOf(name), "down"),
    mend: (name) => ip("link", "set", partOf(name), "up"),
    remove: () => removeNetwork(id),
  };
}

/** Removes the networks of runs that are gone. Those of runs that go on, and what nobody wrote down, are let be. */
export function removeAbandonedNetworks(): void {
  for (const [id, owner] of owners()) if (!isAlive(owner)) removeNetwork(id);
}

/** The name of a space is that of the link that leads to it. */
function partsOf(id: string) {
  const bridge = `czb${id}`;
  return {
    bridge,
    partOf: (name: Name) => `cz${id}${name}`,
    passage: ["FORWARD", "-i", bridge, "-o", bridge, "-j", "ACCEPT"],
  };
}

/** Also one that was made in part, or that another run is removing as well. */
function removeNetwork(id: string): void {
  const { bridge, partOf, passage } = partsOf(id);
  for (const name of names) {
    unlessGone(() => ip("netns", "del", partOf(name)));
    unlessGone(() => ip("link", "del", partOf(name)));
  }
  unlessGone(() => ip("link", "del", bridge));
  unlessGone(() => iptables("-D", ...passage));
  rmSync(join(ownersFolder, id), { force: true });
}

/** @throws Error with `EEXIST` where a network has this id by chance */
function noteOwner(id: string, owner: ProcessIdentity): void {
  mkdirSync(ownersFolder, { recursive: true, mode: 0o700 });
  // Whole or not at all: half a file would have no owner.
  const aside = join(ownersFolder, `.${randomUUID()}`);
  writeFileSync(aside, JSON.stringify(owner));
  try {
    linkSync(aside, join(ownersFolder, id));
  } finally {
    rmSync(aside);
  }
}

function owners(): readonly (readonly [id: string, owner: ProcessIdentity])[] {
  if (!existsSync(ownersFolder)) return [];
  const ids = readdirSync(ownersFolder).filter((name) => /^[0-9a-f]{4}$/.test(name));
  return ids.flatMap((id) => {
    try {
      return [[id, JSON.parse(readFileSync(join(ownersFolder, id), "utf8")) as ProcessIdentity] as const];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  });
}

function unlessGone(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? error);
    if (!/No such file|Cannot find device|does a matching rule exist|does not exist/i.test(said)) throw error;
  }
}

function ip(...args: readonly string[]): void {
  execFileSync("ip", [...args], { stdio: ["ignore", "ignore", "pipe"] });
}

/** Where there is none, nothing holds anything back. */
function iptables(...args: readonly string[]): void {
  if (findProgram("iptables", process.env.PATH ?? "") === null) return;
  execFileSync("iptables", ["--wait", ...args], { stdio: ["ignore", "ignore", "pipe"] });
}
