/**
 * Three NATS servers on this machine, each in a network of its own behind one bridge, so that one can be cut off
 * from the others and from every client, as a switch would.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findProgram } from "../../../deploy/embedded/findProgram.ts";
import { type GuardedChild, startGuardedChild } from "../../../deploy/embedded/guardedChild.ts";
import { connectNats } from "../../../services/kernel/nats/connectNats.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../../streams/streams.ts";
import { tempHome } from "../../support/tempHome.ts";
import { waitFor } from "../../support/waitFor.ts";
import type { NatsServers } from "./natsServers.ts";

const names = ["n1", "n2", "n3"] as const;
type Name = (typeof names)[number];
const clientPort = 4222;
const routePort = 6222;
const stopGraceMs = 2_000;

/** @param program the nats-server of all three */
export async function startNatsCluster(program = "nats-server"): Promise<NatsServers> {
  const home = tempHome();
  const network = makeNetwork();
  const routes = names.map((name) => `nats://${network.addressOf(name)}:${routePort}`);
  const start = (name: Name) => {
    const file = join(home.path, `${name}.conf`);
    const config = {
      server_name: name,
      host: network.addressOf(name),
      port: clientPort,
      cluster: { name: "cazi", host: network.addressOf(name), port: routePort, routes },
      jetstream: { store_dir: join(home.path, name), max_file_store: 64 * 1024 ** 3 },
    };
    writeFileSync(file, JSON.stringify(config));
    return startGuardedChild({
      command: "ip",
      args: ["netns", "exec", network.spaceOf(name), program, "-c", file],
      cwd: home.path,
      logFile: join(home.path, `${name}.log`),
      pidFile: join(home.path, `${name}.pid`),
    });
  };
  const servers = new Map<Name, GuardedChild>();
  for (const name of names) servers.set(name, await start(name));
  const url = names.map((name) => `nats://${network.addressOf(name)}:${clientPort}`).join(",");
  // Accounts are the business of other tests; here nobody but us reaches the servers.
  const credsFile = "";
  const stop = async () => {
    await Promise.all([...servers.values()].map((one) => one.stop(stopGraceMs)));
    network.remove();
    home.remove();
  };
  await untilFormed({ url, credsFile }).catch(async (error) => {
    await stop();
    throw error;
  });
  const leader = () => leaderOf({ url, credsFile });
  return {
    url,
    credsFile,
    killOne: async () => {
      const name = await leader();
      await servers.get(name)!.kill();
      await pause(1_000);
      servers.set(name, await start(name));
    },
    stopLeader: async (forMs) => {
      const { pid } = servers.get(await leader())!;
      process.kill(pid, "SIGSTOP");
      await pause(forMs);
      process.kill(pid, "SIGCONT");
    },
    cutLeaderOff: async (forMs) => {
      const name = await leader();
      network.cut(name);
      await pause(forMs);
      network.mend(name);
    },
    stop,
  };
}

/** A bridge with an address of our own, and a network space a server. */
function makeNetwork() {
  const id = randomBytes(2).toString("hex");
  const bridge = `czb${id}`;
  // Two octets of chance out of a range for tests (RFC 2544), so that two runs beside each other do not meet.
  const [high, low] = [parseInt(id.slice(0, 2), 16), parseInt(id.slice(2), 16)];
  const addressOf = (name: Name) => `198.${18 + (high % 2)}.${low}.${names.indexOf(name) + 2}`;
  const spaceOf = (name: Name) => `cz${id}${name}`;
  const linkOf = (name: Name) => `cz${id}${name}`;
  ip("link", "add", bridge, "type", "bridge");
  ip("addr", "add", `198.${18 + (high % 2)}.${low}.1/24`, "dev", bridge);
  ip("link", "set", bridge, "up");
  // An engine on this machine lets nothing pass from one port of a bridge to another but its own.
  const passage = ["FORWARD", "-i", bridge, "-o", bridge, "-j", "ACCEPT"];
  iptables("-I", ...passage);
  for (const name of names) {
    ip("netns", "add", spaceOf(name));
    ip("link", "add", linkOf(name), "type", "veth", "peer", "name", "eth0", "netns", spaceOf(name));
    ip("link", "set", linkOf(name), "master", bridge, "up");
    ip("-n", spaceOf(name), "addr", "add", `${addressOf(name)}/24`, "dev", "eth0");
    ip("-n", spaceOf(name), "link", "set", "eth0", "up");
    ip("-n", spaceOf(name), "link", "set", "lo", "up");
  }
  return {
    addressOf,
    spaceOf,
    cut: (name: Name) => ip("link", "set", linkOf(name), "down"),
    mend: (name: Name) => ip("link", "set", linkOf(name), "up"),
    remove: () => {
      for (const name of names) ip("netns", "del", spaceOf(name));
      ip("link", "del", bridge);
      iptables("-D", ...passage);
    },
  };
}

function ip(...args: readonly string[]): void {
  execFileSync("ip", [...args], { stdio: ["ignore", "ignore", "pipe"] });
}

/** Where there is none, nothing holds anything back. */
function iptables(...args: readonly string[]): void {
  if (findProgram("iptables", process.env.PATH ?? "") === null) return;
  execFileSync("iptables", [...args], { stdio: ["ignore", "ignore", "pipe"] });
}

/** A leader alone may know of two servers only, and would refuse the first stream of three. */
async function untilFormed(server: { url: string; credsFile: string }): Promise<void> {
  await waitFor(
    "the cluster to have a leader and three servers",
    async () => {
      const nats = await connectNats({ ...server, name: "cluster", firstWaitMs: 1_000 });
      try {
        const name = "FORMED";
        await nats.jsm.streams.add({ name, subjects: ["formed"], num_replicas: names.length });
        return await nats.jsm.streams.delete(name);
      } finally {
        await nats.close();
      }
    },
    { deadlineMs: 60_000, pollMs: 250 },
  );
}

async function leaderOf(server: { url: string; credsFile: string }): Promise<Name> {
  return waitFor(
    "the ledger to have a leader",
    async () => {
      const nats = await connectNats({ ...server, name: "cluster", firstWaitMs: 5_000 });
      try {
        const { cluster } = await nats.jsm.streams.info(ledgerStream(DEFAULT_SHARD));
        return names.find((name) => name === cluster?.leader) ?? null;
      } finally {
        await nats.close();
      }
    },
    { deadlineMs: 30_000, pollMs: 250 },
  );
}
