import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ground } from "../../../deploy/compose/roles/role.ts";
import { groundOnNats } from "../../../test/support/groundOnNats.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { type ApiFixture, apiFixture, testTenant } from "../testing/apiFixture.ts";
import { hearServers, type ServersHeard } from "./hearServers.ts";
import { createQuotas } from "./quotas.ts";
import { waitingTasks } from "./waitingTasks.ts";

const PENDING_MAX = 12;
const natsServer = withNats();
/** Two servers of the API on one ledger, each in its own process's place. */
const servers: { ground: Ground; api: ApiFixture; heard: ServersHeard }[] = [];

beforeAll(async () => {
  for (const server of ["one", "two"]) {
    const ground = await groundOnNats(natsServer);
    const { nats, clock, live, ledger } = ground;
    const heard = hearServers({ nats, clock, server });
    const limits = { pending_max: PENDING_MAX, submits_per_minute: 0, follows_max: 0, stored_bytes_max: 0 };
    const quotas = createQuotas({
      limits: () => limits,
      waiting: waitingTasks(live.tasks),
      storedBytes: async () => 0,
      servers: heard.count,
      monotonicMs: clock.monotonicMs,
    });
    servers.push({
      ground,
      heard,
      api: await apiFixture({ ledger: ledger as ApiFixture["ledger"], quotas }),
    });
  }
});
afterAll(async () => {
  for (const { ground, api, heard } of servers) {
    heard.stop();
    await api.app.close();
    await ground.stop();
  }
});

const submit = async (at: number) => {
  const headers = { "content-type": "application/json" };
  return (await servers[at]!.api.ask("POST", "/v1/tasks", { headers, body: '{"image":"a"}' })).status;
};
const waitingAt = (at: number) => [...servers[at]!.ground.live.tasks.pending()].length;

describe("two servers of the API", () => {
  it("hear each other at once", async () => {
    await waitFor("both to be counted", () => servers.every(({ heard }) => heard.count() === 2));
  });

  it("let a tenant's burst at both in once and not twice, and count what the other took", async () => {
    const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => submit(index % 2)));
    const taken = answers.filter((status) => status === 202).length;
    expect(answers.filter((status) => status !== 202 && status !== 429)).toEqual([]);
    // What the other is submitting at this very moment is not seen: at most its part of what was left.
    expect(taken).toBeGreaterThanOrEqual(PENDING_MAX / 2);
    expect(taken).toBeLessThanOrEqual(PENDING_MAX * 1.5);
    await waitFor("both to have them", () => [0, 1].every((at) => waitingAt(at) === taken));
    for (let left = taken; left < PENDING_MAX; left++) {
      expect(await submit(left % 2)).toBe(202);
      await waitFor("both to have it", () => [0, 1].every((at) => waitingAt(at) > left));
    }
    expect([await submit(0), await submit(1)]).toEqual([429, 429]);
    expect(servers[0]!.ground.live.tasks.pending().next().value?.tenant).toBe(testTenant);
  });

  it("share anew when one of them ends", async () => {
    servers[1]!.heard.stop();
    await waitFor("the other to be alone", () => servers[0]!.heard.count() === 1);
  });
});
