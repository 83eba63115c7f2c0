import { describe, expect, it } from "vitest";
import { limitsInForce } from "../people/tenantLimits.ts";
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
