import { describe, expect, it } from "vitest";
import { LiveTasks } from "../../domain/live/liveTasks.ts";
import type { TaskEventBody } from "../../domain/task/taskEvent.ts";
import type { TaskState } from "../../domain/task/taskState.ts";
import { limitsInForce } from "../people/tenantLimits.ts";
import { apiFixture } from "../testing/apiFixture.ts";
import { createQuotas } from "./quotas.ts";
import { waitingTasks } from "./waitingTasks.ts";

const none = { pending_max: 0, submits_per_minute: 0, follows_max: 0, stored_bytes_max: 0 };

function given(
  limits: Partial<typeof none>,
  now = { pending: 0, submitting: 0, stored: 0, ms: 0, servers: 1 },
) {
  const waiting = {
    count: () => now.pending,
    submitting: () => now.submitting,
    submit: () => {
      now.submitting++;
      return () => void now.submitting--;
    },
  };
  const quotas = createQuotas({
    limits: (tenant) => (tenant === "free" ? none : { ...none, ...limits }),
    waiting,
    servers: () => now.servers,
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
    await quotas.admitSubmit({ tenant: "acme", task: "t" });
    Object.assign(now, { pending: 2, submitting: 0 });
    await expect(quotas.admitSubmit({ tenant: "acme", task: "t" })).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      fields: { limit: "pending_max", quota: 2, retry_after_ms: expect.any(Number) },
    });
    await quotas.admitSubmit({ tenant: "free", task: "t" });
    Object.assign(now, { pending: 0, stored: 10 });
    await expect(quotas.admitSubmit({ tenant: "acme", task: "t" })).rejects.toMatchObject({
      fields: { limit: "stored_bytes_max", quota: 10 },
    });
  });

  it("refuse submits beyond so many a minute, each tenant for itself, and let them in as time passes", async () => {
    const { quotas, now } = given({ submits_per_minute: 2 });
    await quotas.admitSubmit({ tenant: "acme", task: "t" });
    await quotas.admitSubmit({ tenant: "acme", task: "t" });
    await expect(quotas.admitSubmit({ tenant: "acme", task: "t" })).rejects.toMatchObject({
      fields: { limit: "submits_per_minute", quota: 2, retry_after_ms: 30_000 },
    });
    await quotas.admitSubmit({ tenant: "other", task: "t" });
    now.ms = 30_000;
    await quotas.admitSubmit({ tenant: "acme", task: "t" });
  });

  it("count what is being submitted as waiting, until it is refused, and each server takes its part of what is left", async () => {
    const { quotas, now } = given({ pending_max: 10, stored_bytes_max: 5 });
    const submit = () => quotas.admitSubmit({ tenant: "acme", task: "t" });
    const ends = await Promise.all(Array.from({ length: 10 }, submit));
    await expect(submit()).rejects.toMatchObject({ fields: { limit: "pending_max", quota: 10 } });
    ends[0]!();
    await submit();
    Object.assign(now, { submitting: 0, servers: 3, pending: 3 });
    for (let count = 0; count < 3; count++) await submit();
    await expect(submit()).rejects.toMatchObject({ fields: { limit: "pending_max" } });
    Object.assign(now, { submitting: 0, pending: 0, stored: 5 });
    await expect(submit()).rejects.toMatchObject({ fields: { limit: "stored_bytes_max" } });
    expect(now.submitting).toBe(0);
  });

  it("refuse a file that would not fit, or any where all is taken, and take one that just fits", async () => {
    const { quotas, now } = given({ stored_bytes_max: 10 });
    now.stored = 4;
    await quotas.admitUpload("acme", 6);
    await expect(quotas.admitUpload("acme", 7)).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      message: expect.stringContaining("stored_bytes_max"),
      fields: { limit: "stored_bytes_max", quota: 10, retry_after_ms: expect.any(Number) },
    });
    await quotas.admitUpload("free", 7);
  });

  it("hold what follows by itself to submits and bytes, and leave who waits to who submits it", async () => {
    const { quotas, now } = given({ submits_per_minute: 1, stored_bytes_max: 5, pending_max: 1 });
    now.pending = 1;
    await quotas.admitFollowUp("acme");
    await expect(quotas.admitFollowUp("acme")).rejects.toMatchObject({
      fields: { limit: "submits_per_minute" },
    });
    now.stored = 5;
    await expect(quotas.admitFollowUp("acme")).rejects.toMatchObject({
      fields: { limit: "stored_bytes_max" },
    });
    expect(now.submitting).toBe(0);
    await quotas.admitFollowUp("free");
  });

  it("that each server counts for itself are divided by the servers there are, and one at each at the least", async () => {
    const { quotas, now } = given({ submits_per_minute: 4, follows_max: 4 });
    now.servers = 2;
    const submit = () => quotas.admitSubmit({ tenant: "acme", task: "t" });
    await submit();
    await submit();
    await expect(submit()).rejects.toMatchObject({ fields: { quota: 4, retry_after_ms: 30_000 } });
    quotas.openFollow("acme");
    quotas.openFollow("acme");
    expect(() => quotas.openFollow("acme")).toThrow(expect.objectContaining({ code: "QUOTA_EXCEEDED" }));
    now.servers = 99;
    quotas.openFollow("other");
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
  it("is 429 with the limit, its value and when to come again, and stores nothing; a repeat of one that was taken is answered", async () => {
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
    const key = { ...json, "idempotency-key": "again" };
    now.pending = 0;
    const first = await ask("POST", "/v1/tasks", { headers: key, body: '{"image":"a"}' });
    now.pending = 1;
    const again = await ask("POST", "/v1/tasks", { headers: key, body: '{"image":"a"}' });
    expect([first.status, again.status, again.json.id]).toEqual([202, 202, first.json.id]);
    expect(now.submitting).toBe(1);
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
    const waiting = waitingTasks(fold);
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
      seen.push([waiting.count("acme"), waiting.count("other")]);
    }
    expect(seen).toEqual([
      [1, 0],
      [1, 1],
      [0, 1],
      [1, 1],
      [0, 1],
    ]);
    expect(waitingTasks(fold).count("other")).toBe(1);
    const given = { tenant: "acme", task: "new" };
    waiting.submit({ ...given, task: "refused" })();
    waiting.submit(given);
    expect(waiting.submitting("acme")).toBe(1);
    const body = { type: "submitted", spec: "{}" } as unknown as TaskEventBody;
    fold.apply({ seq: 9, at: 0, ...given, body, state: { status: "pending" } as unknown as TaskState });
    expect([waiting.submitting("acme"), waiting.count("acme")]).toEqual([0, 1]);
  });
});
