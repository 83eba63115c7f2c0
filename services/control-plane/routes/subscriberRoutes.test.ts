import { describe, expect, it } from "vitest";
import type { StoredSubscriber, SubscriberKey } from "../../kernel/subscribers/subscriberStore.ts";
import type { Principal } from "../ports.ts";
import { apiFixture } from "../testing/apiFixture.ts";

const account = `A${"B".repeat(55)}`;
const json = { "content-type": "application/json" };
const stored = (key: SubscriberKey): StoredSubscriber => ({
  ...key,
  ...{
    account,
    created_at: 0,
    created_by: "user:ann",
    changed_at: 0,
    changed_by: "user:ann",
    ended_at: null,
  },
  ...{ stream: "EVENTS_0", consumer: `${key.name}@${key.tenant}`, place: { waiting: 2, unacknowledged: 1 } },
});

async function fixture(who: Partial<Principal> = {}) {
  const done: unknown[] = [];
  const principal: Principal = { tenant: "acme", actor: "user:ann", role: "admin", ...who };
  const { ask, app } = await apiFixture({
    tokens: { verify: () => principal },
    subscribers: {
      list: async (tenant) => [stored({ tenant, name: "reports" })],
      get: async (key) => (key.name === "reports" ? stored(key) : null),
      put: async (key, to) => {
        done.push(["put", key, to]);
        return stored(key);
      },
      remove: async (key) => {
        done.push(["remove", key]);
        return key.name === "reports" ? stored(key) : null;
      },
      endAll: async () => undefined,
      ensureAll: async () => undefined,
    },
  });
  return { ask, app, done };
}

describe("the routes of subscribers", () => {
  it("show a tenant's own to its admins, and another tenant's to admins of the installation alone", async () => {
    const { ask, app } = await fixture();
    expect((await ask("GET", "/v1/subscribers")).json.data).toMatchObject([
      { tenant: "acme", consumer: "reports@acme", state: "active", waiting: 2, unacknowledged: 1 },
    ]);
    expect((await ask("GET", "/v1/subscribers/reports")).json).toMatchObject({ name: "reports" });
    expect((await ask("GET", "/v1/subscribers/none")).json.code).toBe("SUBSCRIBER_NOT_FOUND");
    expect((await ask("GET", "/v1/subscribers/A.*")).json.code).toBe("SUBSCRIBER_NOT_FOUND");
    expect((await ask("GET", "/v1/subscribers?tenant=other")).json.code).toBe("TENANT_NOT_FOUND");
    await app.close();
    const installation = await fixture({ installation: true });
    expect((await installation.ask("GET", "/v1/subscribers?tenant=other")).json.data[0].tenant).toBe("other");
    await installation.app.close();
  });

  it("change them for admins of the installation alone", async () => {
    for (const [who, code] of [
      [{ role: "operator" }, "ROLE_TOO_LOW"],
      [{}, "INSTALLATION_ONLY"],
    ] as const) {
      const { ask, app, done } = await fixture(who);
      const put = await ask("PUT", "/v1/subscribers/reports", {
        headers: json,
        body: JSON.stringify({ account }),
      });
      const removed = await ask("DELETE", "/v1/subscribers/reports");
      expect([put.json.code, removed.json.code, done]).toEqual([code, code, []]);
      await app.close();
    }
    const { ask, app, done } = await fixture({ installation: true });
    expect((await ask("DELETE", "/v1/subscribers/reports")).status).toBe(200);
    expect((await ask("DELETE", "/v1/subscribers/none")).json.code).toBe("SUBSCRIBER_NOT_FOUND");
    const wrong = await ask("PUT", "/v1/subscribers/reports", { headers: json, body: '{"account":"x"}' });
    expect(wrong.json.code).not.toBe(undefined);
    expect(done).toHaveLength(2);
    await app.close();
  });
});
