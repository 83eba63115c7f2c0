import { describe, expect, it } from "vitest";
import type { Principal } from "../ports.ts";
import { apiFixture } from "../testing/apiFixture.ts";
import { createAdmission, networkOf } from "./admission.ts";
import { createBuckets } from "./buckets.ts";
import { take } from "./tokenBucket.ts";

const ada: Principal = { tenant: "acme", actor: "user:ada", role: "admin" };
const none = { rateLimitToken: 0, rateLimitTenant: 0, rateLimitAuthFailures: 0 };

function at(limits: Partial<typeof none>) {
  const time = { ms: 0 };
  const admission = createAdmission({ ...none, ...limits }, () => time.ms);
  const admit = (token: string, principal = ada) =>
    admission.admit({ principal, token, route: "/v1/tasks", cost: 1 });
  return { time, admission, admit };
}

describe("a token bucket", () => {
  it("lets a burst through, then as much as flows in, and says when the next one is there", () => {
    const rule = { burst: 2, perSecond: 4 };
    let { bucket } = take(rule, null, 0, 1);
    ({ bucket } = take(rule, bucket, 0, 1));
    const refused = take(rule, bucket, 0, 1);
    expect(refused).toMatchObject({ ok: false, retryAfterMs: 250 });
    expect(take(rule, refused.bucket, 249, 1).ok).toBe(false);
    expect(take(rule, refused.bucket, 250, 1).ok).toBe(true);
    expect(take(rule, refused.bucket, 1e9, 1).bucket.level).toBe(1);
    expect(take(rule, refused.bucket, -5, 1).ok).toBe(false);
    expect(take(rule, null, 0, 100).ok).toBe(true);
  });

  it("is forgotten when there are too many, the one used least lately first", () => {
    const buckets = createBuckets({ burst: 1, perSecond: 1 }, { keysMax: 2, monotonicMs: () => 0 });
    for (const key of ["a", "b", "a", "c"]) buckets.take(key, 1);
    expect(buckets.size).toBe(2);
    expect([buckets.level("a"), buckets.level("b"), buckets.level("c")]).toEqual([0, 1, 0]);
  });
});

describe("rate limits", () => {
  it("are off unless they are set", () => {
    const { admit } = at({});
    for (let count = 0; count < 1_000; count++) expect(admit("t")).toEqual({ ok: true, states: [] });
  });

  it("hold each token for itself, and all of a tenant together, at no cost to the token that was refused", () => {
    const { admit, time } = at({ rateLimitToken: 2, rateLimitTenant: 3 });
    const refused = Array.from({ length: 6 }, (_, n) => admit(n < 5 ? "a" : "b")).map((one) =>
      one.ok ? null : one.limit,
    );
    expect(refused).toEqual([null, null, null, null, "token", null]);
    expect(admit("b").ok).toBe(true);
    expect(admit("b")).toMatchObject({ ok: false, limit: "tenant" });
    expect(admit("b", { ...ada, tenant: "other" }).ok).toBe(true);
    time.ms = 1_000;
    expect([admit("a").ok, admit("a").ok, admit("b").ok, admit("b").ok]).toEqual([true, true, true, false]);
  });

  it("of failed authentications are held by address, and leave alone a token that was good before", () => {
    const { admission } = at({ rateLimitAuthFailures: 2 });
    const from = (token: string, address = "10.0.0.1") => ({ token, address });
    admission.admitUnknown(from("good"));
    admission.wasGood(from("good"));
    expect([1, 2, 3].map((n) => admission.admitUnknown(from(`bad${n}`)).ok)).toEqual([true, true, false]);
    expect(admission.admitUnknown(from("unseen"))).toMatchObject({ ok: false, limit: "authentication" });
    expect(admission.admitUnknown(from("good")).ok).toBe(true);
    expect(admission.admitUnknown(from("unseen", "10.0.0.2")).ok).toBe(true);
  });

  it("take an address of version 6 for its network", () => {
    expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe(networkOf("2001:db8:1:2::9"));
    expect(networkOf("2001:db8:1:2::9")).not.toBe(networkOf("2001:db8:1:3::9"));
    expect(networkOf("::ffff:10.0.0.1")).toBe("10.0.0.1");
    expect(networkOf("::1")).toBe("0:0:0:0::/64");
    expect(networkOf("10.0.0.1")).toBe("10.0.0.1");
  });
});

describe("a request beyond a limit", () => {
  const ofLimits = (limits: Partial<typeof none>) =>
    apiFixture({ admission: createAdmission({ ...none, ...limits }, () => 0) });

  it("is 429 RATE_LIMITED, says which limit and when to come back, and stores nothing", async () => {
    const { ask, ledger } = await ofLimits({ rateLimitToken: 1 });
    const first = await ask("GET", "/v1/tasks");
    expect(first.headers).toMatchObject({ "ratelimit-policy": '"token";q=2;w=2', ratelimit: '"token";r=1' });
    await ask("GET", "/v1/nodes");
    const json = { "content-type": "application/json" };
    const refused = await ask("POST", "/v1/tasks", { headers: json, body: '{"image":"a"}' });
    expect(refused.json).toMatchObject({
      status: 429,
      code: "RATE_LIMITED",
      limit: "token",
      retry_after_ms: 1_000,
    });
    expect(refused.headers).toMatchObject({ "retry-after": "1", ratelimit: '"token";r=0;t=1' });
    expect(ledger.events).toHaveLength(0);
  });

  it("of probes and of the API's description there is none", async () => {
    const { ask } = await ofLimits({ rateLimitToken: 1, rateLimitTenant: 1 });
    for (let count = 0; count < 9; count++) {
      for (const url of ["/healthz", "/readyz", "/problems/RATE_LIMITED"]) {
        expect((await ask("GET", url)).status).toBe(200);
      }
    }
  });

  it("with a wrong token is 401 until the address has sent too many, then 429, and a good token passes", async () => {
    const { ask } = await ofLimits({ rateLimitAuthFailures: 2 });
    const wrong = { headers: { authorization: "Bearer wrong" } };
    expect((await ask("GET", "/v1/tasks")).status).toBe(200);
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await ask("GET", "/v1/tasks", wrong)).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await ask("GET", "/v1/tasks", wrong)).json).toMatchObject({ limit: "authentication" });
    expect((await ask("GET", "/v1/tasks")).status).toBe(200);
  });
});
