/** Two standalone nodes beside a running `cazi up`, over encrypted NATS: they share work, one dies, one is taken out. */
import { join } from "node:path";
import { createAccount } from "@nats-io/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freeLoopbackPort } from "../../deploy/embedded/freePort.ts";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { cliProgram } from "../support/builtCli.ts";
import { certificatesIn } from "../support/certificates.ts";
import { type InstanceContainers, instanceContainers } from "../support/instanceContainers.ts";
import { killProcesses, processTree } from "../support/processTree.ts";
import { userEnv, withProduct } from "../support/product.ts";
import { type RunningProgram, startProgram } from "../support/runProgram.ts";
import { tempHome } from "../support/tempHome.ts";
import { waitFor } from "../support/waitFor.ts";

const folder = tempHome();
const file = (name: string) => join(folder.path, name);
/** Filled before the product starts. */
const env: Record<string, string> = {
  CAZI_NODE_OFFLINE_SECONDS: "3",
  CAZI_NODE_LOST_GRACE_SECONDS: "1",
};
beforeAll(async () => {
  const made = certificatesIn(folder.path);
  made.authority("ca");
  made.certificate("server", { signedBy: "ca", for: "IP:127.0.0.1" });
  env.CAZI_NATS_LISTEN = `127.0.0.1:${await freeLoopbackPort(null)}`;
  env.CAZI_NATS_TLS_CERT = file("server.pem");
  env.CAZI_NATS_TLS_KEY = file("server.key");
  env.NATS_CA = file("ca.pem");
});
const product = withProduct(env);

/** A task that still runs on c when b has died. */
let left: string;
const nodes: Record<
  string,
  {
    program: RunningProgram;
    containers: InstanceContainers;
    env: NodeJS.ProcessEnv;
  }
> = {};
afterAll(async () => {
  for (const { program, containers } of Object.values(nodes)) {
    await killProcesses(processTree(program.pid));
    await program.done;
    await containers.removeAll();
  }
  folder.remove();
});

/** Adds a node and starts its agent as another machine would: with what `node add` printed, and nothing else of the home. */
async function bring(name: string): Promise<void> {
  const added = await product.cazi(
    "node",
    "add",
    name,
    "--tags",
    "own",
    "--slots-max",
    "2",
    "--creds",
    file(name),
  );
  expect(added.stderr.toString()).toContain(file(name));
  const printed = /^NATS_URL=(\S+) NATS_CA=ca\.pem NATS_CREDS=\S+ cazi serve node\n$/.exec(
    added.stdout.toString(),
  )!;
  expect(printed[1]).toBe(`tls://${env.CAZI_NATS_LISTEN}`);
  const { CAZI_BEAT_SECONDS, CAZI_STOP_GRACE_SECONDS, DOCKER_HOST } = product.env as Record<string, string>;
  const instance = `${product.instance}-${name}`;
  const own = {
    ...userEnv(),
    ...{ CAZI_BEAT_SECONDS: CAZI_BEAT_SECONDS!, CAZI_STOP_GRACE_SECONDS: CAZI_STOP_GRACE_SECONDS! },
    ...{ DOCKER_HOST: DOCKER_HOST!, NATS_URL: printed[1]!, NATS_CREDS: file(name), NATS_CA: file("ca.pem") },
    ...{ CAZI_HOME: file(`home-${name}`), CAZI_INSTANCE: instance, CAZI_LOG_LEVEL: "error" },
  };
  const program = startProgram(
    process.execPath,
    [cliProgram, "serve", "node", "--slots", "4", "--tags", "own,fast"],
    { env: own, cwd: projectRoot },
  );
  nodes[name] = { program, containers: instanceContainers(DOCKER_HOST!, instance), env: own };
  await waitFor(`${name} to be served`, () => program.text().includes("serving node"), {
    deadlineMs: 60_000,
  });
}

const work = (script: string) => ({
  image: "cazi/toolbox:latest",
  command: ["sh", "-c", script],
  tags: ["own"],
  max_retries: 1,
  timeout_seconds: 60,
});
const listed = async (name: string) => {
  const page = await product.api.request<{ data: { name: string }[] }>("GET", "/v1/nodes");
  return page.body.data.find((one) => one.name === name) as Record<string, unknown> | undefined;
};

describe("standalone nodes", () => {
  it("share work, and are taken for what was declared of them", async () => {
    // As a command leaves it that died before it announced the account.
    const bounds = { labels: {}, tags: ["own"], tenants: null, slots: 1, networks: ["bridge"], mounts: [] };
    const account = createAccount().getPublicKey();
    const begun = await product.api.request("PUT", "/v1/nodes/c", { body: { ...bounds, account } });
    expect([begun.status, (await listed("c"))?.unavailable]).toEqual([200, "it has not registered yet"]);
    await Promise.all([bring("b"), bring("c")]);
    await waitFor("both to be online", async () => {
      const both = await Promise.all([listed("b"), listed("c")]);
      return both.every((one) => one?.status === "online");
    });
    const tasks = await Promise.all([1, 2, 3, 4].map(() => product.api.submit(work("echo hi; sleep 2"))));
    const ends = await Promise.all(tasks.map(({ id }) => product.api.ended(id)));
    expect(ends.map((one) => one.status)).toEqual(Array(4).fill("succeeded"));
    expect(new Set(ends.map((one) => one.node))).toEqual(new Set(["b", "c"]));
    expect((await product.api.raw(tasks[0]!.id)).bytes.toString()).toBe("hi\n");
    expect((await product.cazi("nodes")).stdout.toString()).toMatch(/b +online .*tag fast is not declared/);
    expect((await product.cazi("node", "add", "b")).stderr.toString()).toContain("node b is there already");
  });

  it("take over from one that dies with its machine, where a retry is allowed", async () => {
    const script = '[ "$CAZI_ATTEMPT" = 2 ] || sleep 60; echo "attempt $CAZI_ATTEMPT"';
    const tasks = await Promise.all([1, 2].map(() => product.api.submit(work(script))));
    const running = await Promise.all(tasks.map(({ id }) => product.api.hasStatus(id, "running")));
    expect(running.map((one) => one.node).sort()).toEqual(["b", "c"]);
    const [ofB, ofC] = ["b", "c"].map((name) => running.find((one) => one.node === name)!);
    await killProcesses(processTree(nodes.b!.program.pid));
    await nodes.b!.containers.removeAll();
    expect(await product.api.ended(ofB!.id)).toMatchObject({ status: "succeeded", node: "c", attempt: 2 });
    expect((await product.api.raw(ofB!.id)).bytes.toString()).toBe("attempt 2\n");
    // It was not disturbed, and is left to be drained.
    expect(await product.api.task(ofC!.id)).toMatchObject({ status: "running", node: "c", attempt: 1 });
    left = ofC!.id;
  });

  it("run one agent on a home: a second one is told of the first", async () => {
    const command = [cliProgram, "serve", "node"];
    const second = await startProgram(process.execPath, command, { env: nodes.c!.env, cwd: projectRoot })
      .done;
    expect([second.exit, second.stderr.toString()]).toEqual([
      5,
      expect.stringContaining(`process ${nodes.c!.program.pid} (HOME_IN_USE)`),
    ]);
  });

  it("say by their own credentials what a reaper would take there, and that what lives is not of it", async () => {
    const command = [cliProgram, "reap", "--dry-run", "--running", "-o", "json"];
    const looked = await startProgram(process.execPath, command, { env: nodes.c!.env, cwd: projectRoot })
      .done;
    const { items } = JSON.parse(looked.stdout.toString()) as { items: { task: string }[] };
    expect(items.find(({ task }) => task === left)).toMatchObject({
      node: "c",
      does: "keep",
      why: "the ledger has it on this node",
    });
  });

  it("are drained of what runs, and removed for good", async () => {
    const refused = await product.cazi("node", "remove", "c");
    expect([refused.exit, refused.stderr.toString()]).toEqual([
      5,
      expect.stringContaining("Attempts are on node c"),
    ]);
    const draining = product.startCazi(["node", "drain", "c", "--wait", "--timeout", "60"]);
    await waitFor("it to drain", () => draining.text().includes("1 attempts go on to their end"), {
      deadlineMs: 30_000,
    });
    await product.api.cancel(left);
    const drained = await draining.done;
    expect([drained.exit, drained.stderr.toString()]).toEqual([
      0,
      expect.stringContaining("nothing is on node c"),
    ]);
    expect(await product.api.task(left)).toMatchObject({ status: "cancelled", node: "c" });
    expect(await listed("c")).toMatchObject({ state: "draining", unavailable: "draining" });
    expect((await product.cazi("node", "remove", "c")).exit).toBe(0);
    await waitFor("it to be let in no more", () =>
      nodes.c!.program.text().includes("(NODE_REFUSED); it keeps trying. Unless NATS itself"),
    );
    expect(await listed("c")).toBeUndefined();
  });
});
