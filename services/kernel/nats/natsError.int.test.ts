/** What real servers answer that cannot keep Cazi's streams: plain ones, for the product's own are always able to. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { StorageType, type StreamConfig } from "nats";
import { afterAll, describe, expect, it } from "vitest";
import { freeLoopbackPort } from "../../../deploy/embedded/freePort.ts";
import { type GuardedChild, startGuardedChild } from "../../../deploy/embedded/guardedChild.ts";
import { tempHome } from "../../../test/support/tempHome.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { connectNats, type Nats } from "./connectNats.ts";
import { asNatsError } from "./natsError.ts";

const home = tempHome();
const children: GuardedChild[] = [];
const clients: Nats[] = [];
afterAll(async () => {
  await Promise.all(clients.map((one) => one.connection.close()));
  await Promise.all(children.map((one) => one.kill()));
  home.remove();
});

async function start(name: string, config: object): Promise<Nats> {
  const port = await freeLoopbackPort(null);
  const file = join(home.path, `${name}.conf`);
  writeFileSync(file, JSON.stringify({ host: "127.0.0.1", port, server_name: name, ...config }));
  const child = await startGuardedChild({
    command: "nats-server",
    args: ["-c", file],
    cwd: home.path,
    logFile: join(home.path, `${name}.log`),
    pidFile: join(home.path, `${name}.pid`),
  });
  children.push(child);
  const nats = await connectNats({
    url: `nats://127.0.0.1:${port}`,
    ...{ credsFile: null, name: "test", firstWaitMs: 20_000 },
  });
  clients.push(nats);
  return nats;
}

const tiny = (name: string) => ({
  jetstream: { store_dir: join(home.path, name), max_file_store: 1_000, max_memory_store: 1_000 },
});

/** The code of what comes of asking for a stream, and what the operator is told to do. */
async function told({ jsm, connection }: Nats, of: Partial<StreamConfig>) {
  const stream = { name: "S", subjects: ["s"], storage: StorageType.File, max_bytes: 1_000_000, ...of };
  const error = await jsm.streams.add(stream).then(
    () => "made",
    (failure) => asNatsError(failure, connection.info),
  );
  return (error as { code?: string }).code ?? error;
}

describe("a server that cannot keep a stream", () => {
  it("has not the room, or is one where three copies are asked for, or is of an account without JetStream", async () => {
    const accounts = { with: { jetstream: "enabled", users: [{ user: "w", password: "w" }] } };
    const nats = await start("small", { ...tiny("small"), accounts, no_auth_user: "w" });
    expect(await told(nats, {})).toBe("NATS_NO_ROOM");
    expect(await told(nats, { storage: StorageType.Memory })).toBe("NATS_NO_ROOM");
    expect(await told(nats, { num_replicas: 3, max_bytes: -1 })).toBe("NATS_TOO_FEW_SERVERS");
    const users = [{ user: "o", password: "o" }];
    const without = await start("other", {
      ...tiny("other"),
      accounts: { ...accounts, without: { users } },
      no_auth_user: "o",
    });
    expect(await told(without, {})).toBe("NATS_WITHOUT_JETSTREAM");
  });

  it("has JetStream off, and is told from one that has no leader yet", async () => {
    expect(await told(await start("off", {}), {})).toBe("NATS_WITHOUT_JETSTREAM");
    const leaderless = { connection: { info: { jetstream: true } }, jsm: clients.at(-1)!.jsm } as Nats;
    expect(await told(leaderless, {})).toBe("NATS_UNAVAILABLE");
  });

  it("is in a cluster, where too few servers and too little room have the same number", async () => {
    const ports = [await freeLoopbackPort(null), await freeLoopbackPort(null)];
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
    const [nats] = await Promise.all(
      ["n1", "n2"].map((name, index) =>
        start(name, {
          ...tiny(name),
          cluster: { name: "c", host: "127.0.0.1", port: ports[index]!, routes },
        }),
      ),
    );
    await waitFor("a leader", async () =>
      nats!.jsm.getAccountInfo().then(
        () => true,
        () => false,
      ),
    );
    expect(await told(nats!, { num_replicas: 3, max_bytes: 100 })).toBe("NATS_TOO_FEW_SERVERS");
    expect(await told(nats!, {})).toBe("NATS_NO_ROOM");
  });
});
