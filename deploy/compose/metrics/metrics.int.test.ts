/** What somebody on call must see, on real servers: each trouble is made, and read from the scraped text. */
import { AckPolicy, headers } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtStores } from "../../../services/cli/doctor/lookAtStores.ts";
import type { RowId } from "../../../services/cli/doctor/rowCatalogue.ts";
import { startTransitions } from "../../../services/control-plane/transitions/startTransitions.ts";
import { newId } from "../../../services/kernel/ids.ts";
import { migrate } from "../../../services/kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../../../services/kernel/postgres/openPool.ts";
import { transitionsConsumer } from "../../../streams/consumers.ts";
import { ensureConsumer } from "../../../streams/ensure.ts";
import { subjects } from "../../../streams/subjects.ts";
import { groundOnNats } from "../../../test/support/groundOnNats.ts";
import { identityOnNats } from "../../../test/support/identityOnNats.ts";
import { submitCommand } from "../../../test/support/ledgerOnNats.ts";
import { figureOf, type ParsedFamily, parsePrometheus } from "../../../test/support/parsePrometheus.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { withPostgres } from "../../../test/support/withPostgres.ts";
import { projectorRole } from "../roles/projector.ts";
import { relayRole } from "../roles/relay.ts";
import type { Ground, RunningRole } from "../roles/role.ts";
import { unreadyRoles } from "../unreadyRoles.ts";
import { type Probes, serveProbes } from "./serveProbes.ts";
import { watchRoles } from "./watchRoles.ts";

type Figures = ReadonlyMap<string, ParsedFamily>;

describe("/metrics on real servers", () => {
  const natsServer = withNats();
  const postgres = withPostgres("native");
  let ground: Ground;
  let pool: DatabasePool;
  let projector: RunningRole;
  let relay: RunningRole;
  let probes: Probes;
  let stopTransitions: (() => Promise<void>) | null = null;

  beforeAll(async () => {
    ground = await groundOnNats(natsServer);
    pool = openPool({ url: postgres.url, size: 3, log: ground.log });
    await migrate(pool);
    projector = projectorRole(ground, pool);
    await watchRoles(ground, [projector]);
    probes = await serveProbes({
      listen: { host: "127.0.0.1", port: 0 },
      metricsText: () => ground.metrics.text(),
      unready: () => unreadyRoles(ground.gate, [projector]),
    });
  });
  afterAll(async () => {
    await probes?.stop();
    await stopTransitions?.();
    await Promise.all([projector?.stop(), relay?.stop()]);
    await pool?.end();
    await ground?.stop();
  });

  const get = async (path: string, host?: string) => {
    const answer = await fetch(`${probes.url}${path}`, host ? { headers: { host } } : {});
    return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
  };
  /** Scrapes until it says so: figures may be a second old. */
  const shown = (what: string, condition: (figures: Figures) => boolean, deadlineMs = 10_000) =>
    waitFor(
      what,
      async () => {
        const figures = parsePrometheus((await get("/metrics")).text);
        return condition(figures) ? figures : null;
      },
      { deadlineMs, pollMs: 200 },
    );
  const submit = (at = Date.now()) =>
    ground.ledger.execute({ tenant: "acme", task: newId(Date.now()) }, { ...submitCommand(), at }, null);

  it("shows a pending task that is stuck: the queue's age, its state's age, and no tenant or id of it", async () => {
    await submit(Date.now() - 120_000);
    await submit();
    const figures = await shown(
      "both tasks",
      (seen) => figureOf(seen, "cazi_tasks", { status: "pending" }) === 2,
    );
    expect(figureOf(figures, "cazi_queue_age_seconds")).toBeGreaterThanOrEqual(120);
    expect(figureOf(figures, "cazi_tasks_oldest_seconds", { status: "pending" })).toBeGreaterThanOrEqual(120);
    expect(figureOf(figures, "cazi_tasks", { status: "running" })).toBe(0);
    expect(figureOf(figures, "cazi_tasks_overdue")).toBe(0);
    expect(figureOf(figures, "cazi_ledger_appends_total", { event: "submitted" })).toBe(2);
    expect(figureOf(figures, "cazi_ledger_append_seconds_count")).toBe(2);
    expect(figureOf(figures, "cazi_ledger_last_sequence")).toBe(2);
    const { text } = await get("/metrics");
    expect(text).not.toContain("acme");
  });

  it("shows a report that is delivered again and again, and then the dead letter that becomes of it", async () => {
    const { nats } = ground;
    await ensureConsumer(nats.jsm, transitionsConsumer);
    await nats.js.publish(subjects.report({ node: "n1", task: "t1" }), "no report", { headers: headers() });
    const consumer = await nats.js.consumers.get("REPORTS", transitionsConsumer.durable);
    expect((await consumer.info()).config.ack_policy).toBe(AckPolicy.Explicit);
    (await consumer.next())!.nak();
    const again = (await consumer.next())!;
    expect(again.redelivered).toBe(true);
    const of = { stream: "REPORTS" };
    const figures = await shown(
      "the redelivery",
      (seen) => figureOf(seen, "cazi_consumer_redelivered", of) === 1,
    );
    expect(figureOf(figures, "cazi_consumer_ack_pending", of)).toBe(1);
    expect(figureOf(figures, "cazi_dead_letters")).toBe(0);
    again.nak();
    const { claimLimitMs, startLimitMs, stopGraceMs } = ground.config;
    stopTransitions = startTransitions({
      ...ground,
      ...(await identityOnNats(ground)),
      epoch: ground.feed.epoch,
      random: Math.random,
      claimLimitMs,
      startLimitMs,
      stopGraceMs,
    });
    const after = await shown("the dead letter", (seen) => figureOf(seen, "cazi_dead_letters") === 1);
    expect(figureOf(after, "cazi_consumer_redelivered", of)).toBe(0);
  });

  it("shows the lag of a projector that is gone, and that its successor has caught up; the relay's too", async () => {
    const before = await shown("no lag", (seen) => figureOf(seen, "cazi_projector_lag_events") === 0);
    expect(figureOf(before, "cazi_lease_held", { role: "projector" })).toBe(1);
    expect(figureOf(before, "cazi_role_troubled", { role: "projector" })).toBe(0);
    // Nobody has relayed yet.
    expect(figureOf(before, "cazi_relay_lag_events")).toBe(2);
    expect(JSON.parse((await get("/readyz")).text)).toEqual({ status: "ok", reasons: [] });
    await projector.stop();
    for (let i = 0; i < 3; i++) await submit();
    const behind = await shown("the lag", (seen) => figureOf(seen, "cazi_projector_lag_events") === 3);
    expect(figureOf(behind, "cazi_lease_held", { role: "projector" })).toBe(0);
    expect(figureOf(behind, "cazi_relay_lag_events")).toBe(5);
    expect(figureOf(behind, "cazi_projector_silence_seconds")).toBeGreaterThan(0);
    projector = projectorRole(ground, pool);
    relay = relayRole(ground);
    await shown(
      "no lag",
      (seen) =>
        figureOf(seen, "cazi_projector_lag_events") === 0 &&
        figureOf(seen, "cazi_relay_lag_events") === 0 &&
        figureOf(seen, "cazi_lease_held", { role: "relay" }) === 1,
    );
  });

  it("is told the same by doctor, which only reads: the dead letter, who has caught up, what Postgres syncs", async () => {
    const config = {
      ...ground.config,
      natsUrl: natsServer.url,
      natsCreds: natsServer.credsFile,
      databaseUrl: postgres.url,
    };
    const stored = async () =>
      (await ground.nats.jsm.streams.list().next())
        .filter((one) => !one.config.name.startsWith("KV_"))
        .map((one) => [one.config.name, one.state.last_seq]);
    const before = await stored();
    const rows = await lookAtStores(config, ground.clock, true);
    const of = (id: RowId) => rows.find((row) => row.id === id);
    expect(of("dead_letters")).toMatchObject({ status: "warn", found: "1 message could never be handled" });
    expect(of("ledger")).toMatchObject({ status: "ok", found: expect.stringMatching(/^5 events; /) });
    for (const id of [
      "projector",
      "feed",
      "clocks",
      "artifact_room",
      "power_cut",
      "postgres_sync",
      "nats_accounts",
    ] as const)
      expect(of(id)?.status, id).toBe("ok");
    expect(of("acknowledgement")?.found).toMatch(/^projected \(chosen\)/);
    expect(await stored()).toEqual(before);
  });

  it("answers a probe, refuses a foreign Host, and knows no other path", async () => {
    expect(await get("/healthz")).toMatchObject({ status: 200, text: '{"status":"ok","reasons":[]}' });
    expect((await get("/metrics")).type).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect((await get("/v1/tasks")).status).toBe(404);
    expect((await rawStatus(probes.url, "evil.example")).status).toBe(403);
  });

  it("answers within its bound while NATS is away: what nobody can know is absent, and it says so", async () => {
    await natsServer.kill();
    const figures = await shown(
      "NATS to be away",
      (seen) => figureOf(seen, "cazi_nats_connected") === 0,
      20_000,
    );
    const begun = performance.now();
    await get("/metrics");
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(figureOf(figures, "cazi_metrics_source_up", { source: "streams" })).toBe(0);
    expect(figureOf(figures, "cazi_dead_letters")).toBeUndefined();
    expect(figureOf(figures, "cazi_tasks", { status: "pending" })).toBe(5);
    expect(figureOf(figures, "cazi_process_resident_memory_bytes")).toBeGreaterThan(1e7);
    await natsServer.restart();
    await shown("NATS to be back", (seen) => figureOf(seen, "cazi_nats_reconnects_total") === 1, 20_000);
  });
});

/** `fetch` sets the Host header itself. */
async function rawStatus(url: string, host: string): Promise<{ status: number }> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    request(`${url}/metrics`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0 });
    })
      .on("error", reject)
      .end();
  });
}
