import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GiB, GivenCluster, POINT_MS } from "./givenCluster.ts";

/** Reviewed as text, in a diff. */
const golden = (name: string, cluster: GivenCluster) =>
  expect(cluster.printPass()).toMatchFileSnapshot(`golden/${name}.txt`);

const gpu = { selector: { labels: { gpu: "a100" } } };

describe("where a task goes", () => {
  it("follows the fixed order: named node, labels, tags, any", () =>
    golden(
      "tiers",
      new GivenCluster()
        .node("a")
        .node("b", { labels: { gpu: "a100" }, tags: ["ssd"] })
        .node("c", { tags: ["ssd", "eu"], slots: 1 })
        .node("d", { tags: ["ssd"], online: false })
        .node("e", { unavailable: "no Docker engine" })
        .task("named", { selector: { node: "c" } })
        .task("labelled", gpu)
        .task("tagged", { tags: ["ssd"] })
        .task("anywhere")
        .task("named-offline", { selector: { node: "d" } })
        .task("named-unknown", { selector: { node: "x" } })
        .task("named-without-tag", { selector: { node: "a" }, tags: ["ssd"] })
        .task("labels-and-tag", { ...gpu, tags: ["eu"] })
        .task("no-such-label", { selector: { labels: { gpu: "h100" } } })
        .task("no-such-tag", { tags: ["ssd", "us"] })
        .task("second-on-c", { tags: ["eu"] }),
    ));

  it("is bounded by tenant, network, mounts and size in every tier", () =>
    golden(
      "filters",
      new GivenCluster()
        .node("acme-1", { tenants: ["acme"], labels: { gpu: "a100" }, tags: ["ssd"] })
        .node("other-1", { tenants: ["other", "third"], labels: { gpu: "a100" }, networks: ["lab"] })
        .node("shared", { mount_allowlist: ["/srv/data"], tags: ["eu"] })
        .task("own-by-name", { selector: { node: "acme-1" } })
        .task("theirs-by-name", { selector: { node: "other-1" } })
        .task("theirs-by-network", { network: "lab" })
        .task("of-the-other", { network: "lab" }, { tenant: "other" })
        .task("of-the-fourth", { selector: { labels: { gpu: "a100" } } }, { tenant: "fourth" })
        .task("mounts", { mounts: [{ source: "/srv/data/in" }] })
        .task("mounts-elsewhere", { ...gpu, mounts: [{ source: "/srv/data/in" }] })
        .task("too-large", { resources: { cpus: 5, memory: GiB } })
        .task("too-much-memory", { resources: { cpus: 1, memory: 9 * GiB } }),
    ));

  it("is bounded by what the tasks on a node declare together", () =>
    golden(
      "capacity",
      new GivenCluster()
        // Eight slots on two CPUs: eight tasks of the default size, but only four of two CPUs.
        .node("small", { cpus: 2, memory_bytes: 3 * GiB, slots: 8 })
        .node("strict", { cpus: 2, offered_cpus: 2, slots: 8, tags: ["strict"] })
        .task("there-1", { resources: { cpus: 2, memory: 2.5 * GiB } }, { on: "small" })
        .task("a", { resources: { cpus: 2, memory: 0.5 * GiB }, selector: { node: "small" } })
        .task("b", { resources: { cpus: 0.5, memory: GiB / 4 }, selector: { node: "small" } })
        .task("strict-1", { tags: ["strict"] })
        .task("strict-2", { tags: ["strict"], resources: { cpus: 0.4, memory: GiB } })
        .task("strict-3", { tags: ["strict"], resources: { cpus: 0.6, memory: GiB } })
        .task("strict-4", { tags: ["strict"], resources: { cpus: 0.01, memory: GiB } }),
    ));

  it("tells a task that waits among many nodes what keeps most of them from it", () => {
    const cluster = new GivenCluster();
    for (let n = 0; n < 25; n++) cluster.node(`n${String(n).padStart(2, "0")}`, { online: n % 5 > 0 });
    cluster.node("gpu-1", { labels: { gpu: "a100" }, slots: 1 }).task("there", {}, { on: "gpu-1" });
    return golden("manyNodes", cluster.task("waits", gpu));
  });

  it("is the least loaded of the nodes that fit, the first by name of equals", () => {
    const cluster = new GivenCluster().node("c").node("b").node("a").node("big", { slots: 100, cpus: 100 });
    cluster.task("there", {}, { on: "a" });
    for (let n = 0; n < 4; n++) cluster.task(`t${n}`);
    expect(cluster.placed()).toEqual(["t0 → b", "t1 → big", "t2 → c", "t3 → big"]);
  });
});

describe("who goes first", () => {
  it("is the higher priority, then who waits longer", () => {
    const cluster = new GivenCluster().node("n", { slots: 3, cpus: 8 });
    cluster.task("low", { priority: -5 }).task("plain").task("high", { priority: 100 }).task("second");
    expect(cluster.placed()).toEqual(["high → n", "plain → n", "second → n"]);
    expect(cluster.index.countBefore(cluster.index.waiting("low")!)).toBe(0);
  });

  it("keeps its place when an offer comes back, and waits anew when it is tried again", () => {
    const cluster = new GivenCluster().node("n", { slots: 2 });
    cluster.task("retried", {}, { waitedSeconds: 5, state: { retries_used: 1, not_before: cluster.now } });
    cluster.task("plain", {}, { waitedSeconds: 50 });
    cluster.task("returned", {}, { waitedSeconds: 500 });
    expect(cluster.placed()).toEqual(["returned → n", "plain → n"]);
  });

  it("passes by what may not be tried yet, and what is given up", () => {
    const cluster = new GivenCluster().node("n");
    cluster.task("later", {}, { state: { not_before: cluster.now + 1 } });
    const limits = { timeout_ms: 1, max_retries: 0, ttl_ms: null, start_within_ms: 30_000, sinks: 0 };
    cluster.task("too late", {}, { waitedSeconds: 30, state: { limits } });
    cluster.task("in time", {}, { waitedSeconds: 29, state: { limits } });
    expect(cluster.placed()).toEqual(["in time → n"]);
    expect(cluster.why("later")?.message).toBe("it waits before its next try (not_before)");
  });

  it("is at last the lowest priority, however many high ones keep coming", () => {
    const cluster = new GivenCluster().node("n", { slots: 1 });
    cluster.task("low", { priority: -100 });
    const began = cluster.now;
    let placed = "";
    for (let n = 0; placed !== "low" && n < 1_000; n++) {
      // Two for each slot that comes free: without ageing the queue of high ones only grows.
      cluster.task(`h${n}a`, { priority: 100 }).task(`h${n}b`, { priority: 100 });
      placed = cluster.pass()[0]!.task;
      cluster.end(placed);
      cluster.now += POINT_MS;
    }
    expect(placed).toBe("low");
    // Those that came within 201 points are before it, two a slot: it waits for all of them and no more.
    expect((cluster.now - began) / POINT_MS).toBeLessThanOrEqual(2 * 201 + 1);
  });
});

describe("between tenants", () => {
  const backlog = (
    cluster: GivenCluster,
    tenant: string,
    count: number,
    spec = {},
    waitedSeconds = 3_600,
  ) => {
    for (let n = 0; n < count; n++) cluster.task(`${tenant}-${n}`, spec, { tenant, waitedSeconds });
    return cluster;
  };

  it("one task goes before the rest of ten thousand that came an hour ago with the highest priority", () => {
    const cluster = backlog(new GivenCluster().node("n", { slots: 1 }), "many", 10_000, { priority: 100 });
    cluster.task("one", { priority: -100 }, { tenant: "few" });
    const [first] = cluster.placed();
    expect([first, ...cluster.end("many-0").placed()]).toEqual(["many-0 → n", "one → n"]);
  });

  it("slots in use even out", () => {
    const cluster = new GivenCluster().node("n", { slots: 9, cpus: 9 });
    for (const tenant of ["a", "b", "c"]) backlog(cluster, tenant, 20, {}, 1);
    const counts: Record<string, number> = {};
    for (const { task } of cluster.pass()) counts[task[0]!] = (counts[task[0]!] ?? 0) + 1;
    expect(counts).toEqual({ a: 3, b: 3, c: 3 });
  });

  it("who has much running elsewhere is served in bounded time all the same", () => {
    const cluster = new GivenCluster().node("gpu", {
      slots: 20,
      cpus: 20,
      tags: ["gpu"],
      memory_bytes: 99 * GiB,
    });
    cluster.node("n", { slots: 1, labels: { plain: "yes" } });
    const plain = { selector: { labels: { plain: "yes" } } };
    for (let n = 0; n < 20; n++) cluster.task(`there-${n}`, {}, { tenant: "large", on: "gpu" });
    cluster.task("large's", plain, { tenant: "large" });
    backlog(cluster, "small", 1_000, plain, 0);
    let rounds = 0;
    for (let placed = ""; placed !== "large's"; rounds++) {
      placed = cluster.pass()[0]!.task;
      cluster.end(placed);
      cluster.now += POINT_MS;
    }
    expect(rounds).toBeLessThanOrEqual(22);
  });
});

describe("a concurrency key", () => {
  const keyed = (limit: number, more = {}) => ({ concurrency_key: "db", concurrency_limit: limit, ...more });

  it("lets as many on nodes as each task's own limit says, in order, by tenant", () =>
    golden(
      "concurrency",
      new GivenCluster()
        .node("n", { slots: 20, cpus: 20, memory_bytes: 64 * GiB })
        .task("there", keyed(9), { on: "n" })
        .task("two-a", keyed(2))
        .task("two-b", keyed(2))
        .task("nine", keyed(9))
        .task("other-key", { concurrency_key: "web" })
        .task("no-key")
        .task("other-tenant", keyed(1), { tenant: "other" }),
    ));

  it("does not let generous tasks starve a strict one", () => {
    const cluster = new GivenCluster().node("n", { slots: 20, cpus: 20, memory_bytes: 64 * GiB });
    cluster.task("g0", keyed(9)).task("strict", keyed(1)).task("g1", keyed(9));
    expect(cluster.placed()).toEqual(["g0 → n"]);
    // Once the strict one has a node, whoever comes after it goes by its own limit again.
    expect(cluster.end("g0").placed()).toEqual(["strict → n", "g1 → n"]);
  });

  it("counts what is given away and not yet seen, and frees it when that fails", () => {
    const cluster = new GivenCluster().node("n").task("a", keyed(1)).task("b", keyed(1));
    expect(cluster.placed()).toEqual(["a → n"]);
    expect(cluster.placed()).toEqual([]);
    expect(cluster.index.reserved).toBe(1);
    cluster.index.release("a");
    expect(cluster.placed()).toEqual(["a → n"]);
  });
});

describe("a task for which no node has room at once", () => {
  it("gets one kept for it after a while, so that small ones do not fill each gap for ever", () => {
    const cluster = new GivenCluster().node("n");
    const big = { resources: { cpus: 1, memory: 8 * GiB } };
    cluster.task("there", {}, { on: "n" }).task("big", big);
    expect(cluster.task("s0").placed()).toEqual(["s0 → n"]);
    cluster.now += 61_000;
    expect(cluster.task("s1").placed()).toEqual([]);
    expect(cluster.why("s1")?.nodes).toMatchObject([{ node: "n", rule: "held" }]);
    expect(cluster.why("big")?.nodes).toMatchObject([{ node: "n", rule: "memory" }]);
    expect(cluster.end("there").end("s0").placed()).toEqual(["big → n"]);
  });

  it("lets others go on for half of the time, where what it waits for takes long", () => {
    const cluster = new GivenCluster().node("n").task("there", {}, { on: "n" });
    // Free slots and no CPU: small tasks are looked at, and refused, also while the other node is kept.
    cluster.node("m", { offered_cpus: 1 }).task("there too", {}, { on: "m" });
    cluster.task("big", { resources: { cpus: 1, memory: 8 * GiB } });
    const taken: number[] = [];
    for (let minute = 0; minute < 16; minute++) {
      if (cluster.task(`s${minute}`).placed().length > 0) taken.push(minute);
      cluster.end(`s${minute}`);
      cluster.now += 60_000;
    }
    expect(taken).toEqual([0, 3, 6, 7, 12, 13, 14, 15]);
  });
});

describe("INV-ROOM", () => {
  it("holds for any tasks, passes and ends, and what could be placed is", () => {
    const size = fc.record({
      cpus: fc.constantFrom(0.1, 0.5, 1, 2, 3),
      memory: fc.constantFrom(0.25, 0.5, 1, 4).map((gib) => gib * GiB),
    });
    const step = fc.oneof(
      fc.record({ do: fc.constant("submit" as const), size, tenant: fc.constantFrom("a", "b") }),
      fc.record({ do: fc.constant("end" as const), which: fc.nat() }),
      fc.record({ do: fc.constant("fail" as const), which: fc.nat() }),
      fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 30, 60, 200) }),
      fc.record({ do: fc.constant("turn" as const), node: fc.constantFrom("x", "y") }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cluster = new GivenCluster()
          .node("x", { cpus: 2, slots: 3 })
          .node("y", { memory_bytes: 2 * GiB });
        const on = new Map<string, string>();
        for (const [n, one] of steps.entries()) {
          const nth = (which: number) => [...on.keys()][which % Math.max(1, on.size)];
          if (one.do === "wait") cluster.now += one.seconds * 1000;
          else if (one.do === "turn") cluster.turn(one.node);
          else if (one.do === "submit")
            cluster.task(`t${n}`, { resources: one.size }, { tenant: one.tenant });
          else {
            const task = nth(one.which);
            if (task === undefined) continue;
            on.delete(task);
            if (one.do === "end") cluster.end(task);
            else cluster.index.release(task);
          }
          for (const { task, node } of cluster.pass()) on.set(task, node);
          for (const { node, offers } of cluster.table.views) {
            const used = cluster.index.useOf(node);
            expect(used.slots).toBe([...on.values()].filter((there) => there === node).length);
            expect(used.slots).toBeLessThanOrEqual(offers.slots);
            expect(used.nanoCpus).toBeLessThanOrEqual(offers.nanoCpus);
            expect(used.memoryBytes).toBeLessThanOrEqual(offers.memoryBytes);
          }
          for (const task of cluster.tasks.keys())
            if (!on.has(task)) expect(cluster.why(task)).not.toBeNull();
        }
      }),
      { numRuns: 300 },
    );
  });
});
