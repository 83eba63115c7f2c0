import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../../test/support/waitFor.ts";
import type { RunningNodeAgent } from "./main.ts";
import { type NodeFixture, nodeFixture } from "./testing/nodeFixture.ts";

const noop = { CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: "64" };

describe("an agent on the no-op runtime", () => {
  let node: NodeFixture;
  let agent: RunningNodeAgent;
  beforeAll(async () => {
    node = await nodeFixture();
    agent = await node.startAgent(noop);
  });
  afterAll(() => node.close());

  const run = async (command: string[], more: object = {}) => {
    const ref = await node.plane.offer(node.newTask(), { image: "x", command, ...more });
    return { ref, report: await node.plane.final(ref) };
  };

  it("says the whole of a short attempt in one report", async () => {
    const { ref, report } = await run(["exit", "7"]);
    expect(report.ended).toMatchObject({ exit_code: 7, stopped_by: null, failure: null });
    expect(report.started_at).not.toBeNull();
    expect(node.plane.reports(ref)).toHaveLength(1);
  });

  it("says that an attempt runs when it has not ended soon", async () => {
    const { ref, report } = await run(["sleep", "0.6"]);
    expect(node.plane.reports(ref)).toHaveLength(2);
    expect(node.plane.reports(ref)[0]).toMatchObject({ ended: null });
    expect(report.revision).toBeGreaterThan(node.plane.reports(ref)[0]!.revision);
  });

  it("stores output before the report that counts it", async () => {
    const { ref, report } = await run(["echo", "hello", "there"]);
    expect(report.logs.stdout).toEqual({ stored: 12, dropped: 0 });
    expect((await node.logged(ref, "stdout")).bytes.toString()).toBe("hello there\n");
  });

  it("stops at the time limit and says who stopped it", async () => {
    const { report } = await run(["sleep", "30"], { timeout_seconds: 1 });
    expect(report.ended).toMatchObject({ exit_code: 143, signal: 15, stopped_by: "timeout" });
  });

  it("cancels what runs as soon as it is hinted", async () => {
    const ref = await node.plane.offer(node.newTask(), { image: "x", command: ["sleep", "30"] });
    await node.plane.until(() => node.plane.reports(ref).length > 0, 5_000, "the running report");
    node.plane.cancel(ref);
    const report = await node.plane.final(ref, 5_000);
    expect(report.ended).toMatchObject({ stopped_by: "cancel" });
  });

  it("acknowledges the same claim again without a second start", async () => {
    const ref = await node.plane.offer(node.newTask(), { image: "x", command: ["sleep", "0.5"] });
    await node.plane.until(() => node.plane.reports(ref).length > 0, 5_000, "the running report");
    const before = node.plane.grantRequests;
    await node.plane.offerAgain(ref);
    await node.plane.final(ref);
    expect(node.plane.grantRequests).toBe(before);
    await waitFor("an empty queue of claims", async () => {
      const { state } = await node.nats.jsm.streams.info("CLAIMS");
      return state.messages === 0;
    });
  });

  it("asks again when the grant comes later, and never starts after the start limit", async () => {
    node.plane.holdGrants = true;
    const ref = await node.plane.offer(node.newTask(), { image: "x", command: ["exit", "3"] });
    await node.plane.until(() => node.plane.grantRequests > 0, 5_000, "a grant request");
    node.plane.holdGrants = false;
    expect((await node.plane.final(ref)).ended).toMatchObject({ exit_code: 3 });
    node.plane.startWithinMs = 0;
    const late = await node.plane.offer(node.newTask(), { image: "x", command: ["exit", "3"] });
    expect((await node.plane.final(late)).not_started).toMatchObject({ reason: "start_limit" });
    node.plane.startWithinMs = 60_000;
  });

  it("forgets an offer that is refused", async () => {
    const ref = await node.plane.offer(node.newTask(), { image: "x", command: ["exit", "0"] });
    node.plane.forget(ref);
    await waitFor("an empty queue of claims", async () => {
      const { state } = await node.nats.jsm.streams.info("CLAIMS");
      return state.messages === 0;
    });
  });

  it("stops what the ledger does not list any more", async () => {
    const ref = await node.plane.offer(node.newTask(), { image: "x", command: ["sleep", "30"] });
    await node.plane.until(() => node.plane.reports(ref).length > 0, 5_000, "the running report");
    node.plane.forget(ref);
    await waitFor("the agent to stop it", () => node.log.notes.includes("stopping an attempt: settled"));
  });

  it("makes itself and its heartbeat known", async () => {
    const nodes = await node.nats.js.views.kv("nodes", { bindOnly: true });
    const heartbeats = await node.nats.js.views.kv("heartbeats", { bindOnly: true });
    expect((await nodes.get("local"))?.json()).toMatchObject({
      runtime: "noop",
      slots: 64,
      unavailable: null,
    });
    expect((await heartbeats.get("local"))?.json()).toMatchObject({ node: "local" });
  });

  it("goes on through the death of the server, and reports what ended meanwhile", async () => {
    const ref = await node.plane.offer(node.newTask(), { image: "x", command: ["sleep", "1"] });
    await node.plane.until(() => node.plane.reports(ref).length > 0, 5_000, "the running report");
    await node.server.kill();
    await waitFor("the report to find no server", () =>
      node.log.problems.some((line) => line.startsWith("the report is not stored yet")),
    );
    await node.server.restart();
    expect((await node.plane.final(ref, 40_000)).ended).toMatchObject({ exit_code: 0, stopped_by: null });
    const next = await node.plane.offer(node.newTask(), { image: "x", command: ["exit", "4"] });
    expect((await node.plane.final(next, 40_000)).ended).toMatchObject({ exit_code: 4 });
  });

  it("asks the grant again after a restart for what died with it", async () => {
    const ref = await node.plane.offer(node.newTask(), { image: "x", command: ["sleep", "1"] });
    await node.plane.until(() => node.plane.reports(ref).length > 0, 5_000, "the running report");
    await agent.stop();
    const first = node.plane.reports(ref)[0]!.revision;
    agent = await node.startAgent(noop);
    const report = await node.plane.final(ref, 15_000);
    expect(report.ended).toMatchObject({ exit_code: 0 });
    expect(report.revision).toBeGreaterThan(first);
  });
});

describe("a node that kills on disconnect", () => {
  it("stops what runs before it would be given up, and reports it when it is back", async () => {
    const node = await nodeFixture();
    try {
      await node.startAgent({
        ...noop,
        CAZI_ON_DISCONNECT: "kill",
        CAZI_NODE_OFFLINE_SECONDS: "1",
        CAZI_NODE_LOST_GRACE_SECONDS: "2",
      });
      const ref = await node.plane.offer(node.newTask(), { image: "x", command: ["sleep", "60"] });
      await node.plane.until(() => node.plane.reports(ref).length > 0, 5_000, "the running report");
      await node.server.kill();
      await waitFor("the agent to stop it", () => node.log.problems.some((line) => line.includes("cut off")));
      await node.server.restart();
      expect((await node.plane.final(ref, 40_000)).ended).toMatchObject({ stopped_by: "disconnect" });
    } finally {
      await node.close();
    }
  });
});
