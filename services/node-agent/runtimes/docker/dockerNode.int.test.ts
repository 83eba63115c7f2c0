import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pushImage } from "../../../../test/support/registryImages.ts";
import { startRegistryProxy } from "../../../../test/support/registryProxy.ts";
import { smallDisk } from "../../../../test/support/smallDisk.ts";
import { waitFor } from "../../../../test/support/waitFor.ts";
import { withEngine } from "../../../../test/support/withEngine.ts";
import { hasRegistry, withRegistry } from "../../../../test/support/withRegistry.ts";
import type { RunningNodeAgent } from "../../main.ts";
import { engineProxy } from "../../testing/engineProxy.ts";
import { type NodeFixture, nodeFixture } from "../../testing/nodeFixture.ts";
import { openDockerClient } from "./dockerClient.ts";

const MiB = 1024 * 1024;

describe("an agent on a Docker engine", () => {
  const engine = withEngine();
  const allowed = mkdtempSync(join(process.cwd(), ".node-agent-test-"));
  let node: NodeFixture;
  let agent: RunningNodeAgent;
  let docker: Docker;
  let env: Record<string, string>;

  beforeAll(async () => {
    docker = await openDockerClient(engine.dockerHost);
    node = await nodeFixture();
    env = {
      DOCKER_HOST: engine.dockerHost,
      CAZI_NODE_MOUNTS: allowed,
      CAZI_NODE_NETWORKS: "none,bridge",
      CAZI_NODE_SLOTS: "4",
    };
    agent = await node.startAgent(env);
  });
  afterAll(async () => {
    await agent.stop();
    for (const one of await ours()) await takeAway(one.Id);
    await node.close();
    rmSync(allowed, { recursive: true });
  });

  const ours = () =>
    docker.listContainers({ all: true, filters: { label: [`cazi.instance=${node.instance}`] } });
  /** The agent's own removal may be at it already. */
  const takeAway = async (id: string) => {
    await docker
      .getContainer(id)
      .remove({ force: true })
      .catch((error) => {
        if (error.statusCode !== 404 && error.statusCode !== 409) throw error;
      });
  };
  const offer = (spec: object) =>
    node.plane.offer(node.newTask(), { image: engine.image, network: "none", ...spec });
  const shell = (script: string) => ({ command: ["sh", "-c", script] });
  const run = async (spec: object) => {
    const ref = await offer(spec);
    return { ref, report: await node.plane.final(ref, 60_000) };
  };
  const running = (ref: Parameters<NodeFixture["logged"]>[0]) =>
    node.plane.until(() => node.plane.reports(ref).length > 0, 20_000, `${ref.task} to run`);

  it("gives the exit code, both streams, the image's identity, and removes what is settled", async () => {
    const { ref, report } = await run(shell("echo out; echo err >&2; exit 7"));
    expect(report.ended).toMatchObject({ exit_code: 7, signal: null, stopped_by: null, oom_killed: false });
    expect(report.image).toEqual({ ref: engine.image, repo_digest: null, image_id: engine.imageId });
    expect((await node.logged(ref, "stdout")).bytes.toString()).toBe("out\n");
    expect((await node.logged(ref, "stderr")).bytes.toString()).toBe("err\n");
    await waitFor("the container to be removed", async () => (await ours()).length === 0);
  });

  it("keeps every byte of output that is not text and has no final newline", async () => {
    const script = 'i=0; while [ $i -lt 256 ]; do printf "\\\\$(printf %03o $i)"; i=$((i+1)); done';
    const { ref, report } = await run(shell(script));
    const { bytes } = await node.logged(ref, "stdout");
    expect(bytes).toEqual(Buffer.from(Array.from({ length: 256 }, (_, i) => i)));
    expect(report.logs.stdout.stored).toBe(256);
  });

  it("loses nothing of many containers that end at once", async () => {
    const refs = await Promise.all(Array.from({ length: 8 }, (_, i) => offer(shell(`seq 1 ${1000 + i}`))));
    for (const [i, ref] of refs.entries()) {
      await node.plane.final(ref, 90_000);
      const lines = (await node.logged(ref, "stdout")).bytes.toString().trimEnd().split("\n");
      expect(lines).toHaveLength(1000 + i);
      expect(lines.at(-1)).toBe(String(1000 + i));
    }
  }, 120_000);

  it("cuts a line of 100 MB at the cap, counts the rest, and keeps its own memory flat", async () => {
    const before = process.memoryUsage().rss;
    const spec = { ...shell("head -c 104857600 /dev/zero"), max_output_bytes: 1_000_000 };
    const { ref, report } = await run(spec);
    expect(report.ended).toMatchObject({ exit_code: 0 });
    expect(report.logs.stdout).toEqual({ stored: 1_000_000, dropped: 104_857_600 - 1_000_000 });
    const logged = await node.logged(ref, "stdout");
    expect(logged.bytes).toHaveLength(1_000_000);
    expect(logged.dropped).toBe(104_857_600 - 1_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * MiB);
  });

  it("stops at the time limit by SIGTERM, and by SIGKILL what ignores that", async () => {
    const { report } = await run({ ...shell("exec sleep 60"), timeout_seconds: 1 });
    expect(report.ended).toMatchObject({ exit_code: 143, signal: 15, stopped_by: "timeout" });
    const stubborn = await run({ ...shell('trap "" TERM; while :; do sleep 1; done'), timeout_seconds: 1 });
    expect(stubborn.report.ended).toMatchObject({ exit_code: 137, signal: 9, stopped_by: "timeout" });
  });

  it("cancels what runs, and its container is gone when it says so", async () => {
    const ref = await offer(shell("exec sleep 60"));
    await running(ref);
    node.plane.cancel(ref);
    expect((await node.plane.final(ref)).ended).toMatchObject({ stopped_by: "cancel" });
    expect((await ours()).filter((one) => one.State === "running")).toEqual([]);
  });

  it("says that the memory limit ended it", async () => {
    const spec = { ...shell("tail /dev/zero"), resources: { memory: 16 * MiB } };
    const { report } = await run(spec);
    expect(report.ended).toMatchObject({ oom_killed: true, stopped_by: null });
    expect(report.ended?.exit_code).not.toBe(0);
  });

  it("refuses a mount outside the allowlist and starts nothing", async () => {
    const { report } = await run({ ...shell("true"), mounts: [{ source: "/opt", target: "/x" }] });
    expect(report.not_started).toMatchObject({ reason: "runtime_refused" });
    expect(report.not_started?.message).toContain("CAZI_NODE_MOUNTS");
    expect(report.started_at).toBeNull();
  });

  it("mounts what is allowed, read-only unless asked otherwise", async () => {
    mkdirSync(join(allowed, "in"), { recursive: true });
    writeFileSync(join(allowed, "in", "file"), "content");
    const script = "cat /in/file; (echo x > /in/new) 2>/dev/null || echo read-only";
    const { ref } = await run({ ...shell(script), mounts: [{ source: join(allowed, "in"), target: "/in" }] });
    expect((await node.logged(ref, "stdout")).bytes.toString()).toBe("contentread-only\n");
  });

  it("says what to do when an image is neither here nor to be had", async () => {
    const never = await run({ image: "cazi/absent:1", pull_policy: "never" });
    expect(never.report.not_started).toMatchObject({ reason: "image_unavailable" });
    node.plane.startWithinMs = 1_200;
    const pulled = await run({ image: "127.0.0.1:9/absent:1" });
    node.plane.startWithinMs = 60_000;
    expect(pulled.report.not_started).toMatchObject({ reason: "image_pull", final: false });
    expect(pulled.report.not_started?.message).toContain("load the image on the node");
    expect(pulled.report.pull).toMatchObject({ last_error: expect.stringContaining("connection refused") });
  });

  it("gives exit code 127 for a program that is not in the image", async () => {
    const { ref, report } = await run({ command: ["/no/such/program"] });
    expect(report.ended).toMatchObject({ exit_code: 127, failure: null });
    expect((await node.logged(ref, "stderr")).bytes.toString()).toContain("/no/such/program");
  });

  it("reports what the engine cannot start as an error of the runtime, in the engine's words", async () => {
    const { report } = await run({ ...shell("true"), user: "nobody-here" });
    expect(report.ended).toMatchObject({ exit_code: null, failure: "runtime_error" });
    expect(report.ended?.message).toContain("nobody-here");
  });

  it("keeps the image's ENTRYPOINT under a command, and replaces it when one is given", async () => {
    const base = await docker.createContainer({ Image: engine.image, Cmd: ["true"] });
    const tag = { repo: `cazi-test-${node.instance}`, tag: "entry" };
    await base.commit({ ...tag, changes: 'ENTRYPOINT ["/bin/busybox","echo","entry"]' });
    await base.remove();
    const image = `${tag.repo}:${tag.tag}`;
    try {
      const kept = await run({ image, command: ["a", "b"] });
      expect((await node.logged(kept.ref, "stdout")).bytes.toString()).toBe("entry a b\n");
      const replaced = await run({ image, entrypoint: ["/bin/busybox", "printf"], command: ["%s", "own"] });
      expect((await node.logged(replaced.ref, "stdout")).bytes.toString()).toBe("own");
    } finally {
      await waitFor("its containers to be removed", async () => (await ours()).length === 0);
      await docker.getImage(image).remove({ force: true });
    }
  });

  it("follows what runs after a restart without losing or repeating a byte", async () => {
    const ref = await offer(
      shell("i=0; while [ $i -lt 60 ]; do echo line $i; i=$((i+1)); sleep 0.05; done; exit 5"),
    );
    await running(ref);
    await agent.stop();
    // As of an acknowledgement that was lost: the offer comes again while its container runs.
    await node.plane.offerAgain(ref);
    agent = await node.startAgent(env);
    const report = await node.plane.final(ref);
    expect(report.ended).toMatchObject({ exit_code: 5, stopped_by: null });
    const expected = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join("");
    expect((await node.logged(ref, "stdout")).bytes.toString()).toBe(expected);
    expect(report.logs.stdout.stored).toBe(expected.length);
  });

  it("reports what ended while the agent was away, with its true exit code and the missing bytes", async () => {
    const ref = await offer(shell("echo early; sleep 1; printf late; exit 9"));
    await running(ref);
    await agent.stop();
    await waitFor("its end", async () => (await ours()).every((one) => one.State === "exited"));
    agent = await node.startAgent(env);
    const report = await node.plane.final(ref);
    expect(report.ended).toMatchObject({ exit_code: 9, stopped_by: null, failure: null });
    expect((await node.logged(ref, "stdout")).bytes.toString()).toBe("early\nlate");
  });

  it("keeps the time limit of what it finds again", async () => {
    const ref = await offer({ ...shell("exec sleep 60"), timeout_seconds: 2 });
    await running(ref);
    await agent.stop();
    agent = await node.startAgent(env);
    expect((await node.plane.final(ref)).ended).toMatchObject({ stopped_by: "timeout" });
  });

  it("says container_lost when somebody took the container away, and never starts it again", async () => {
    const ref = await offer(shell("exec sleep 60"));
    await running(ref);
    await agent.stop();
    for (const one of await ours()) await takeAway(one.Id);
    agent = await node.startAgent(env);
    const report = await node.plane.final(ref);
    expect(report.ended).toMatchObject({ exit_code: null, failure: "container_lost" });
    expect(await ours()).toEqual([]);
  });

  it("leaves nothing behind of all this", async () => {
    await waitFor("every container to be removed", async () => (await ours()).length === 0);
    expect(node.log.problems).toEqual([]);
  });

  it("starts anew on a full disk: what ended has its exit code and output, what runs is cancelled, nothing new begins", async () => {
    const disk = smallDisk(4);
    const onDisk = { ...env, CAZI_HOME: disk.path };
    await agent.stop();
    agent = await node.startAgent(onDisk);
    const [ended, cancelled] = [
      await offer(shell("sleep 1; echo out; exit 9")),
      await offer(shell("exec sleep 60")),
    ];
    await Promise.all([running(ended), running(cancelled)]);
    disk.fill();
    await agent.stop();
    await waitFor("the end of one", async () => (await ours()).some((one) => one.State === "exited"));
    agent = await node.startAgent(onDisk);
    expect((await node.plane.final(ended)).ended).toMatchObject({ exit_code: 9, failure: null });
    expect((await node.logged(ended, "stdout")).bytes.toString()).toBe("out\n");
    await node.plane.cancel(cancelled);
    expect((await node.plane.final(cancelled)).ended).toMatchObject({ stopped_by: "cancel" });
    const next = await offer(shell("echo later"));
    disk.free();
    expect((await node.plane.final(next)).ended).toMatchObject({ exit_code: 0 });
    await waitFor("every container to be removed", async () => (await ours()).length === 0);
    await agent.stop();
    disk.remove();
    agent = await node.startAgent(env);
  });

  it("loses no byte when LOGS is away for longer than the agent buffers, and blocks no container", async () => {
    const lines = 400_000;
    const ref = await offer(shell(`echo ready; sleep 1; seq 1 ${lines}`));
    await running(ref);
    await node.server.kill();
    // It ends although nobody takes its output: the attach was dropped, the engine's own log has it.
    await waitFor("its end", async () => (await ours()).every((one) => one.State === "exited"), {
      deadlineMs: 60_000,
    });
    await node.server.restart();
    expect((await node.plane.final(ref, 90_000)).ended).toMatchObject({ exit_code: 0 });
    const expected = ["ready", ...Array.from({ length: lines }, (_, i) => String(i + 1)), ""].join("\n");
    const { bytes, dropped } = await node.logged(ref, "stdout");
    expect(dropped).toBe(0);
    expect(bytes.equals(Buffer.from(expected))).toBe(true);
  }, 180_000);

  describe.skipIf(!hasRegistry)("with a registry", () => {
    const registry = withRegistry();
    it("is given up at once when the task is cancelled while its pull waits", async () => {
      const proxy = await startRegistryProxy(registry.address);
      proxy.limit(1, 50);
      const ref = await offer({ image: `${proxy.address}/limited:1` });
      await node.plane.until(() => node.plane.reports(ref).length > 1, 20_000, "the failed try");
      node.plane.cancel(ref);
      expect((await node.plane.final(ref, 5_000)).not_started).toMatchObject({ reason: "cancelled" });
      await proxy.close();
    });

    it("reports a pull for two tasks at once that is limited at first, and runs both by what came", async () => {
      const proxy = await startRegistryProxy(registry.address);
      const name = await pushImage(docker, registry, { name: "cazi-test/limited", bytes: 100_000 });
      const spec = { image: `${proxy.address}/${name}`, command: ["/content"] };
      proxy.limit(1, 1);
      const refs = await Promise.all([offer(spec), offer(spec)]);
      const firstErrors: unknown[] = [];
      for (const ref of refs) {
        const report = await node.plane.final(ref, 60_000);
        const pulls = node.plane.reports(ref).map((one) => one.pull);
        expect(pulls[0]).toMatchObject({ notice: 1, tries: 1, finished_at: null });
        firstErrors.push(pulls[0]?.last_error);
        const failed = pulls.find((one) => one?.retry_at != null);
        expect(failed).toMatchObject({ last_error: expect.stringContaining("toomanyrequests") });
        expect(report.pull).toMatchObject({ tries: 2, layers_done: 1, finished_at: expect.any(Number) });
        expect(report.image?.repo_digest).toMatch(/@sha256:/);
        const ended = node.plane.reports(ref).find((one) => one.pull?.finished_at != null);
        expect(ended?.image).toEqual(report.image);
      }
      // Whoever joins the pull after its first try has failed is told of that at once.
      expect(firstErrors).toContain(null);
      expect(proxy.passed.filter(({ method }) => method === "HEAD")).toHaveLength(1);
      await waitFor("the containers to be removed", async () => (await ours()).length === 0);
      await docker.getImage(spec.image).remove({ force: true });
      await proxy.close();
    });
  });
});

describe("an engine that goes away", () => {
  const engine = withEngine();

  it("makes the node unavailable and back, and what ran meanwhile loses neither byte nor exit code", async () => {
    const node = await nodeFixture();
    const proxy = await engineProxy(engine.dockerHost);
    try {
      const env = { DOCKER_HOST: proxy.dockerHost, CAZI_NODE_NETWORKS: "none" };
      await node.startAgent(env);
      const script = "i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); sleep 0.1; done; exit 6";
      const spec = { image: engine.image, network: "none", command: ["sh", "-c", script] };
      const ref = await node.plane.offer(node.newTask(), spec);
      await node.plane.until(() => node.plane.reports(ref).length > 0, 20_000, "it to run");
      await proxy.cut();
      const said = async (what: (unavailable: string | null) => boolean) =>
        what((await registered(node)).unavailable);
      await waitFor("the node to say so", () => said((why) => why !== null));
      await proxy.mend();
      expect((await node.plane.final(ref, 30_000)).ended).toMatchObject({ exit_code: 6, failure: null });
      const expected = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join("");
      expect((await node.logged(ref, "stdout")).bytes.toString()).toBe(expected);
      await waitFor("the node to take work again", () => said((why) => why === null));
      await waitFor("the removal", async () => {
        const docker = await openDockerClient(engine.dockerHost);
        const filters = { label: [`cazi.instance=${node.instance}`] };
        return (await docker.listContainers({ all: true, filters })).length === 0;
      });
    } finally {
      await node.close();
      await proxy.cut();
    }
  });
});

async function registered(node: NodeFixture): Promise<{ unavailable: string | null }> {
  const nodes = await node.nats.js.views.kv("nodes", { bindOnly: true });
  return (await nodes.get("local"))!.json();
}
