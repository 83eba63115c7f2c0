import { describe, expect, it } from "vitest";
import type { FleetEntry } from "../../../schemas/messages/fleet.ts";
import type { AskedChange } from "../nodes/fleet.ts";
import type { Principal } from "../ports.ts";
import { apiFixture, testTenant } from "../testing/apiFixture.ts";

const declared = { labels: {}, tags: [], tenants: null, slots: 2, networks: ["none"], mounts: ["/srv"] };
const account = `A${"B".repeat(55)}`;
const json = { "content-type": "application/json" };

async function fixture(principal: Partial<Principal> = {}) {
  const changes: [string, AskedChange, string][] = [];
  const who: Principal = {
    tenant: testTenant,
    actor: "user:ann",
    role: "admin",
    installation: true,
    ...principal,
  };
  const { ask } = await apiFixture({
    tokens: { verify: () => who },
    fleet: {
      change: async (...change) => {
        changes.push(change);
        return { bounds: declared, state: "active", account, by: "", changed_at: 0 } satisfies FleetEntry;
      },
    },
  });
  const send = (method: "GET" | "PUT" | "DELETE", url: string, body?: object) =>
    ask(method, url, body === undefined ? {} : { headers: json, body: JSON.stringify(body) });
  return { changes, send };
}

describe("the routes of one node", () => {
  it("show it, and say what is not there", async () => {
    const { send } = await fixture();
    expect((await send("GET", "/v1/nodes/a")).json).toMatchObject({
      name: "a",
      state: "active",
      bounds: null,
    });
    expect((await send("GET", "/v1/nodes/zz")).json).toMatchObject({ status: 404, code: "NODE_NOT_FOUND" });
    expect((await send("GET", "/v1/nodes/A.*")).json).toMatchObject({ status: 404, code: "NODE_NOT_FOUND" });
  });

  it("hand each change on with who asked for it", async () => {
    const { changes, send } = await fixture();
    await send("PUT", "/v1/nodes/a", { ...declared, account });
    await send("PUT", "/v1/nodes/a/state", { state: "draining" });
    const removed = await send("DELETE", "/v1/nodes/a?force=true");
    expect(removed.json).toEqual({ name: "a", account });
    expect(changes).toEqual([
      ["a", { kind: "declare", bounds: declared, account }, "user:ann"],
      ["a", { kind: "state", state: "draining" }, "user:ann"],
      ["a", { kind: "remove", force: true }, "user:ann"],
    ]);
  });

  it("refuse a declaration that cannot be meant, and name what is wrong", async () => {
    const { changes, send } = await fixture();
    const wrong = { ...declared, slots: 0, mounts: ["srv"], account: "x", more: 1 };
    const answer = await send("PUT", "/v1/nodes/a", wrong);
    const pointers = answer.json.errors.map((one: { pointer: string }) => one.pointer);
    expect([answer.status, pointers.sort()]).toEqual([400, ["/account", "/more", "/mounts/0", "/slots"]]);
    expect((await send("PUT", "/v1/nodes/a/state", { state: "removed" })).status).toBe(400);
    expect(changes).toEqual([]);
  });

  it("are for admins of the installation", async () => {
    for (const [principal, code] of [
      [{ role: "operator" }, "ROLE_TOO_LOW"],
      [{ role: "viewer" }, "ROLE_TOO_LOW"],
      [{ installation: false }, "INSTALLATION_ONLY"],
    ] as const) {
      const { changes, send } = await fixture(principal);
      const answers = await Promise.all([
        send("PUT", "/v1/nodes/a", declared),
        send("PUT", "/v1/nodes/a/state", { state: "cordoned" }),
        send("DELETE", "/v1/nodes/a"),
      ]);
      expect(answers.map((one) => one.json.code)).toEqual(Array(3).fill(code));
      expect(changes).toEqual([]);
    }
  });
});
