import { describe, expect, it } from "vitest";
import { LiveTasks } from "../../domain/live/liveTasks.ts";
import type { TaskEventBody } from "../../domain/task/taskEvent.ts";
import type { TaskState } from "../../domain/task/taskState.ts";
import { limitsInForce } from "../people/tenantLimits.ts";
import { apiFixture } from "../testing/apiFixture.ts";
import { countWaiting } from "./countWaiting.ts";
import { createQuotas } from "./quotas.ts";

const none = { pending_max: 0, submits_per_minute: 0, follows_max: 0, stored_bytes_max: 0 };

function given(limits: Partial<typeof none>, now = { pending: 0, stored: 0, ms: 0 }) {
  const quotas = createQuotas({
    limits: (tenant) => (tenant === "free" ? none : { ...none, ...limits }),
    pending: () => now.pending,
    storedBytes: async () => now.stored,
    monotonicMs: () => now.ms,
  });
  return { quotas, now };
}

describe("quotas of a tenant", () => {
  it("are the installation's where none is set for it, and none where 0 is set", () => {
    const defaults = {
      tenantPendingMax: 5,
      tenantSubmitsPerMinute: 6,
      tenantFollowsMax: 7,
      tenantStoredBytesMax: 8,
    };
    const set = { pending_max: 0, submits_per_minute: null, follows_max: 1, stored_bytes_max: null };
    const expected = { pending_max: 0, submits_per_minute: 6, follows_max: 1, stored_bytes_max: 8 };
    expect(limitsInForce(set, defaults)).toEqual(expected);
    expect(limitsInForce(undefined, defaults).pending_max).toBe(5);
  });

  it("refuse a submit beyond waiting tasks or stored bytes, naming the limit, its value, and when to retry", async () => {
    const { quotas, now } = given({ pending_max: 2, stored_bytes_max: 10 });
    await quotas.admitSubmit("acme");
    now.pending = 2;
    await expect(quotas.admitSubmit("acme")).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      fields: { limit: "pending_max", quota: 2, retry_after_ms: expect.any(Number) },
    });
    await quotas.admitSubmit("free");
    Object.assign(now, { pending: 0, stored: 10 });
    await expect(quotas.admitSubmit("acme")).rejects.toMatchObject({
      fields: { limit: "stored_bytes_max", quota: 10 },
    });
  });

  it("refuse submits beyond so many a minute, each tenant for itself, and let them in as time passes", async () => {
    const { quotas, now } = given({ submits_per_minute: 2 });
    await quotas.admitSubmit("acme");
    await quotas.admitSubmit("acme");
    await expect(quotas.admitSubmit("acme")).rejects.toMatchObject({
      fields: { limit: "submits_per_minute", quota: 2, retry_after_ms: 30_000 },
    });
    await quotas.admitSubmit("other");
    now.ms = 30_000;
    await quotas.admitSubmit("acme");
  });

  it("count open streams until they end, an end told twice once", () => {
    const { quotas } = given({ follows_max: 1 });
    const end = quotas.openFollow("acme");
    expect(() => quotas.openFollow("acme")).toThrow(expect.objectContaining({ code: "QUOTA_EXCEEDED" }));
    quotas.openFollow("other");
    end();
    end();
    quotas.openFollow("acme");
    expect(() => quotas.openFollow("acme")).toThrow(expect.objectContaining({ fields: expect.anything() }));
  });
});

describe("a request beyond a quota", () => {
  it("is 429 with the limit, its value and when to come again, and stores nothing", async () => {
    const { quotas, now } = given({ pending_max: 1, follows_max: 1 });
    now.pending = 1;
    const { ask, ledger, app } = await apiFixture({ quotas });
    const json = { "content-type": "application/json" };
    const refused = await ask("POST", "/v1/tasks", { headers: json, body: '{"image":"a"}' });
    expect(refused.json).toMatchObject({
      status: 429,
      code: "QUOTA_EXCEEDED",
      limit: "pending_max",
      quota: 1,
    });
    expect(refused.headers).toMatchObject({ "retry-after": "10", ratelimit: '"pending_max";r=0;t=10' });
    expect(ledger.events).toHaveLength(0);
    quotas.openFollow("acme");
    for (const url of ["/v1/events/stream", `/v1/tasks/${"0".repeat(26)}/logs?follow=true`]) {
      expect((await ask("GET", url)).json, url).toMatchObject({
        code: "QUOTA_EXCEEDED",
        limit: "follows_max",
      });
    }
    await app.close();
  });
});

describe("tasks that wait", () => {
  it("are counted by tenant as they come, are placed, wait again and end", () => {
    const fold = new LiveTasks();
    const waiting = countWaiting(fold);
    const seen: number[][] = [];
    const states = [
      ["acme", "pending"],
      ["other", "pending"],
      ["acme", "scheduled"],
      ["acme", "pending"],
      ["acme", "cancelled"],
    ] as const;
    for (const [index, [tenant, status]] of states.entries()) {
      const state = { status, node: "n1" } as unknown as TaskState;
      const body = { type: "scheduled" } as TaskEventBody;
      fold.apply({ seq: index + 1, at: 0, tenant, task: `of-${tenant}`, body, state });
      seen.push([waiting("acme"), waiting("other")]);
    }
    expect(seen).toEqual([
      [1, 0],
      [1, 1],
      [0, 1],
      [1, 1],
      [0, 1],
    ]);
    expect(countWaiting(fold)("other")).toBe(1);
  });
});
