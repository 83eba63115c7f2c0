/**
 * Three NATS servers on this machine, each in a network of its own behind one bridge, so that one can be cut off
 * from the others and from every client, as a switch would.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type GuardedChild, startGuardedChild } from "../../../deploy/embedded/guardedChild.ts";
import { connectNats } from "../../../services/kernel/nats/connectNats.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../../streams/streams.ts";
import { tempHome } from "../../support/tempHome.ts";
import { waitFor } from "../../support/waitFor.ts";
import { makeNetwork, type Name, names, removeAbandonedNetworks } from "./clusterNetwork.ts";
import type { NatsServers } from "./natsServers.ts";

const clientPort = 4222;
const routePort = 6222;
const stopGraceMs = 2_000;

/** @param program the nats-server of all three */
export async function startNatsCluster(program = "nats-server"): Promise<NatsServers> {
  const home = tempHome();
  removeAbandonedNetworks();
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
