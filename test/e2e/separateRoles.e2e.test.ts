/** Each role a process of its own, on one NATS server and a native Postgres: roles die, stop and come back. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freeLoopbackPort } from "../../deploy/embedded/freePort.ts";
import type { ProblemBody } from "../support/apiRequests.ts";
import { bySubject, endsIn, readLedger } from "../support/homeLedger.ts";
import { figureOf, parsePrometheus } from "../support/parsePrometheus.ts";
import { type Fleet, makeFleet, type RoleProcess } from "../support/roleProcesses.ts";
import { waitFor } from "../support/waitFor.ts";
import { withEngine } from "../support/withEngine.ts";
import { withNats } from "../support/withNats.ts";
import { withPostgres } from "../support/withPostgres.ts";

const nats = withNats();
const postgres = withPostgres("native");
const engine = withEngine();
const roleNames = ["projector", "control-plane", "scheduler", "reactor", "node"] as const;
type Role = (typeof roleNames)[number];

let fleet: Fleet;
let metricsPort: number;
const serving = {} as Record<Role, RoleProcess>;
beforeAll(async () => {
  const servers = { nats, databaseUrl: postgres.url, dockerHost: engine.dockerHost };
  fleet = await makeFleet(servers, {
    // Short for the test that waits for them, long for a loaded machine.
    CAZI_NODE_OFFLINE_SECONDS: "8",
    CAZI_NODE_LOST_GRACE_SECONDS: "2",
    CAZI_SINK_ALLOW_PRIVATE: "127.0.0.1",
    // Where the node fetches /pipe/stdin.
    CAZI_ARTIFACT_LISTEN: `127.0.0.1:${await freeLoopbackPort(null)}`,
  });
  metricsPort = await freeLoopbackPort(null);
  const probed = { CAZI_METRICS_PORT: String(metricsPort) };
  await Promise.all(
    roleNames.map(
      async (role) => (serving[role] = await fleet.serve(role, role === "reactor" ? probed : {})),
    ),
  );
  await waitFor(
    "the API to be ready",
    async () => (await fleet.api.request("GET", "/readyz")).status === 200,
    {
      deadlineMs: 60_000,
    },
  );
});
afterAll(async () => {
  await fleet?.remove();
});

const shell = (script: string, more: object = {}) => ({
  image: "cazi/toolbox:latest",
  command: ["sh", "-c", script],
  timeout_seconds: 120,
  ...more,
});
const isReady = () =>
  waitFor("the API to be ready", async () => (await fleet.api.request("GET", "/readyz")).status === 200, {
    deadlineMs: 60_000,
    pollMs: 100,
  });
const again = async (role: Role) => {
  serving[role] = await fleet.serve(role);
};
const containerIsGone = (id: string) =>
  waitFor("its container to be gone", async () => (await fleet.containers.ofTask(id)) === null, {
    deadlineMs: 60_000,
  });
/** The container itself is the witness: what it prints first is stored. */
const begins = (id: string) =>
  waitFor("it to print", async () => (await fleet.api.raw(id)).bytes.length > 0, { deadlineMs: 60_000 });

async function historyOf(id: string) {
  const histories = bySubject(await readLedger(nats));
  const events = [...histories].find(([subject]) => subject.endsWith(`.${id}`))![1];
  expect(endsIn(events)).toBe(1);
  return events.map(({ event }) => event.body.type);
}

/** A webhook's receiver; `first` is awaited before the first request is answered. */
async function receiveWebhooks(first: () => Promise<void>) {
  const got: { id: unknown; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    got.push({ id: request.headers["webhook-id"], body: Buffer.concat(parts).toString() });
    if (got.length === 1) await first();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, got, close: () => server.close() };
}

describe("roles of their own processes", () => {
  let sinks: RoleProcess;

  it("send a webhook again with the same id and bytes when sinks is killed between request and record", async () => {
    sinks = await fleet.serve("sinks");
    const receiver = await receiveWebhooks(() => sinks.kill());
    const output_sinks = [{ type: "webhook", url: receiver.url }];
    const { id } = await fleet.api.submit(shell("echo hi", { output_sinks }));
    await waitFor("the first request", () => receiver.got.length === 1, { deadlineMs: 60_000 });
    sinks = await fleet.serve("sinks");
    const delivered = await waitFor(
      "the sink to be delivered",
      async () => (await fleet.api.task(id)).sinks.find((one) => one.status === "delivered"),
      { deadlineMs: 60_000 },
    );
    expect(delivered).toMatchObject({ id: "0-webhook", receipt: "HTTP 200" });
    const [first, second, ...more] = receiver.got;
    expect(more).toEqual([]);
    expect(second).toEqual(first);
    expect(first!.id).toBe(`${id}_0-webhook`);
    expect(JSON.parse(first!.body).data.output.text).toBe("hi\n");
    expect((await historyOf(id)).slice(-2)).toEqual(["succeeded", "sink_delivered"]);
    receiver.close();
  });

  it("submit each downstream task once, its /pipe/stdin whole, when sinks is killed in the midst of them", async () => {
    const receiver = await receiveWebhooks(() => sinks.kill());
    const after = shell("sha256sum < /pipe/stdin");
    const output_sinks = [
      { type: "task", spec: after },
      { type: "webhook", url: receiver.url },
    ];
    const script = "head -c 300000 /dev/urandom > /tmp/x; cat /tmp/x";
    const parents = await Promise.all(
      [1, 2, 3].map(async () => (await fleet.api.submit(shell(script, { output_sinks }))).id),
    );
    await waitFor("the kill", () => receiver.got.length > 0, { deadlineMs: 60_000 });
    sinks = await fleet.serve("sinks");
    for (const parent of parents) {
      const sink = await waitFor(
        `the downstream task of ${parent}`,
        async () => (await fleet.api.task(parent)).sinks.find((one) => one.receipt?.startsWith("task:")),
        { deadlineMs: 60_000 },
      );
      const child = sink.receipt!.slice("task:".length);
      expect(await fleet.api.ended(child)).toMatchObject({ status: "succeeded", message: null });
      const [given, got] = [(await fleet.api.raw(parent)).bytes, (await fleet.api.raw(child)).bytes];
      expect(given).toHaveLength(300_000);
      expect(String(got)).toBe(`${createHash("sha256").update(given).digest("hex")}  -\n`);
    }
    const sources = (await readLedger(nats)).flatMap(({ event: { body } }) =>
      body.type === "submitted" && body.source.startsWith("sink:") ? [body.source] : [],
    );
    expect(sources.sort()).toEqual(parents.map((id) => `sink:${id}:0-task`).sort());
    receiver.close();
  });

  it("take a task from its submit to its end", async () => {
    const { id } = await fleet.api.submit(shell("echo hi; exit 4"));
    expect(await fleet.api.ended(id)).toMatchObject({ status: "failed", reason: "exit", exit_code: 4 });
    expect((await fleet.api.raw(id)).bytes.toString()).toBe("hi\n");
  });

  it("answer probes and /metrics on a port of their own where they have no API", async () => {
    const url = `http://127.0.0.1:${metricsPort}`;
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ok", reasons: [] }]);
    const figures = parsePrometheus(await (await fetch(`${url}/metrics`)).text());
    expect(figures.get("cazi_build_info")?.samples[0]?.labels.roles).toBe("reactor");
    expect(figureOf(figures, "cazi_lease_held", { role: "reactor" })).toBe(1);
    expect(figureOf(figures, "cazi_node_available", { node: "local" })).toBe(1);
  });

  it("go on with a second scheduler when the first is killed", async () => {
    const first = serving.scheduler;
    await again("scheduler");
    await first.kill();
    const { id } = await fleet.api.submit(shell("echo hi"));
    expect(await fleet.api.ended(id)).toMatchObject({ status: "succeeded", attempt: 1 });
  });

  it("run what was submitted while no scheduler lived", async () => {
    await serving.scheduler.kill();
    const { id } = await fleet.api.submit(shell("echo hi"));
    await again("scheduler");
    expect(await fleet.api.ended(id)).toMatchObject({ status: "succeeded", attempt: 1 });
  });

  it("keep a report that no control plane is there to take", async () => {
    const { id } = await fleet.api.submit(shell("echo begun; sleep 3; exit 5"));
    await begins(id);
    await serving["control-plane"].kill();
    await waitFor("it to exit", async () => (await fleet.containers.ofTask(id))?.State !== "running", {
      deadlineMs: 60_000,
    });
    await again("control-plane");
    expect(await fleet.api.ended(id)).toMatchObject({ status: "failed", reason: "exit", exit_code: 5 });
  });

  it("refuse a submit before it is stored while no projector lives, and still end what runs", async () => {
    const { id } = await fleet.api.submit(shell("echo begun; sleep 4"));
    await begins(id);
    await serving.projector.kill();
    const refused = await waitFor(
      "submits to be refused",
      async () => {
        const answer = await fleet.api.request<ProblemBody>("POST", "/v1/tasks", { body: shell("true") });
        return answer.status === 503 && answer.body.code === "PROJECTOR_DOWN" ? answer : null;
      },
      { deadlineMs: 60_000, pollMs: 500 },
    );
    expect(refused.headers.get("retry-after")).not.toBeNull();
    await waitFor(
      "its end to be in the ledger",
      async () =>
        (await readLedger(nats)).some(({ event }) => event.task === id && event.body.type === "succeeded"),
      { deadlineMs: 60_000, pollMs: 200 },
    );
    await again("projector");
    await isReady();
    expect(await fleet.api.ended(id)).toMatchObject({ status: "succeeded" });
  });
});

describe("a node agent", () => {
  it("that is killed finds its container again: no byte lost, no second start", async () => {
    const script = [
      "i=0; while [ $i -lt 16 ]; do dd if=/dev/urandom of=/tmp/block bs=65536 count=1 2>/dev/null;",
      "cat /tmp/block; cat /tmp/block >> /tmp/all; i=$((i + 1)); sleep 0.25; done;",
      "sha256sum < /tmp/all | cut -c1-64 >&2; exit 6",
    ];
    const { id } = await fleet.api.submit(shell(script.join(" ")));
    await begins(id);
    await serving.node.kill();
    await again("node");
    expect(await fleet.api.ended(id)).toMatchObject({ status: "failed", exit_code: 6, attempt: 1 });
    const [out, err] = [await fleet.api.raw(id), await fleet.api.raw(id, "stderr")];
    expect(out.bytes.length).toBe(16 * 65_536);
    expect(createHash("sha256").update(out.bytes).digest("hex")).toBe(err.bytes.toString().trim());
    await containerIsGone(id);
  });

  it("that stands still too long loses its attempts; what it reports late moves nothing", async () => {
    const [long, short] = [
      await fleet.api.submit(shell("echo begun; sleep 100")),
      await fleet.api.submit(shell("echo begun; sleep 2; exit 5")),
    ];
    for (const { id } of [long, short]) await begins(id);
    const { child } = serving.node.program;
    child.kill("SIGSTOP");
    for (const { id } of [long, short]) {
      expect(await fleet.api.ended(id)).toMatchObject({
        status: "failed",
        reason: "node_lost",
        exit_code: null,
      });
    }
    const settled = [await historyOf(long.id), await historyOf(short.id)];
    child.kill("SIGCONT");
    await containerIsGone(long.id);
    await containerIsGone(short.id);
    expect([await historyOf(long.id), await historyOf(short.id)]).toEqual(settled);
    expect(await fleet.api.task(short.id)).toMatchObject({
      status: "failed",
      reason: "node_lost",
      exit_code: null,
    });
  });
});
