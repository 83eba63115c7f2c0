import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensure } from "../../../streams/ensure.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { withPostgres } from "../../../test/support/withPostgres.ts";
import { runCommand } from "../../cli/testing/commandInProcess.ts";
import { systemClock } from "../../kernel/clock.ts";
import { loadConfig } from "../../kernel/config.ts";
import { createLog } from "../../kernel/log.ts";
import { connectNats, type Nats } from "../../kernel/nats/connectNats.ts";
import { migrate } from "../../kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import { type Answer, type ApiFixture, apiFixture } from "../testing/apiFixture.ts";
import { type RunningPeople, startPeople } from "./startPeople.ts";

const log = createLog(process.env.TEST_LOG ?? "silent", "test");
const firstToken = `cazi_${"f".repeat(43)}`;
const { config } = loadConfig({}, () => "");

/** One server of the API. */
interface Replica {
  readonly nats: Nats;
  readonly pool: DatabasePool;
  readonly people: RunningPeople;
  readonly api: ApiFixture;
}

const natsServer = withNats();
const postgres = withPostgres("native");
let one: Replica;
let two: Replica;

beforeAll(async () => {
  const nats = await connectNats({ ...natsServer, name: "ensure", firstWaitMs: 5_000 });
  await ensure(nats.js, nats.jsm, { leaseMs: 10_000, nodeOfflineMs: 30_000, replicas: 1 });
  await nats.close();
  one = await replica();
  await migrate(one.pool);
  await one.people.sync();
  two = await replica();
});
afterAll(async () => {
  for (const each of [one, two]) {
    await each.people.stop();
    await each.api.app.close();
    await each.pool.end();
    await each.nats.close();
  }
});

async function replica(): Promise<Replica> {
  const nats = await connectNats({ ...natsServer, name: "api", firstWaitMs: 5_000 });
  const pool = openPool({ url: postgres.url, size: 2, log });
  const ports = { config, nats, pool, clock: systemClock, log, adminToken: firstToken };
  // Compared when the tests say so.
  const people = await startPeople({ ...ports, syncMs: 3_600_000 });
  const api = await apiFixture({ people: people.people, tokens: people.tokens });
  return { nats, pool, people, api };
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";
interface Asked {
  readonly token?: string;
  readonly at?: Replica;
  readonly key?: string;
}

async function ask(method: Method, url: string, body?: object, asked: Asked = {}): Promise<Answer> {
  const { token = firstToken, at = one, key } = asked;
  const answer = await at.api.app.inject({
    method,
    url,
    headers: {
      host: "localhost",
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  const json = answer.body === "" ? null : answer.json();
  return { status: answer.statusCode, headers: answer.headers, json, raw: answer.rawPayload };
}

/** A tenant with an admin, and the admin's token. */
async function tenantWithAdmin(name: string): Promise<string> {
  await ask("POST", "/v1/tenants", { name });
  await ask("POST", `/v1/users?tenant=${name}`, { name: "boss", role: "admin" });
  const made = await ask("POST", `/v1/tokens?tenant=${name}`, { name: "first", acts_for: "boss" });
  expect(made).toMatchObject({ status: 201 });
  return made.json.token;
}

const whoIs = (token: string, at?: Replica) => ask("GET", "/v1/me", undefined, { token, ...(at && { at }) });

describe("tenants, users and tokens", () => {
  it("begin with the first token, an admin of the installation", async () => {
    expect((await whoIs(firstToken)).json).toMatchObject({
      tenant: "default",
      actor: "user:admin",
      role: "admin",
      installation_admin: true,
    });
    expect((await ask("GET", "/v1/tenants")).json.data).toMatchObject([{ name: "default" }]);
  });

  it("are made by admins; a token is shown once and speaks for its user on every server at once", async () => {
    const token = await tenantWithAdmin("acme");
    expect(token).toMatch(/^cazi_[\w-]{43}$/);
    for (const at of [one, two]) {
      const { json } = await whoIs(token, at);
      expect(json).toMatchObject({
        tenant: "acme",
        actor: "user:boss",
        role: "admin",
        installation_admin: false,
      });
    }
    const listed = await ask("GET", "/v1/tokens", undefined, { token });
    expect(listed.json.data).toMatchObject([{ name: "first", acts_for: "boss", kind: "person" }]);
    expect(listed.raw.toString()).not.toContain(token);
    const [row] = await queryInTenant(one.pool, { role: "app", tenant: "acme" }, "SELECT * FROM tokens", []);
    expect(JSON.stringify(row)).not.toContain(token.slice(5));
  });

  it("are made once by one key, and a token's repeat does not show it again", async () => {
    const token = await tenantWithAdmin("keys");
    const user = { name: "ada", role: "operator" };
    const first = await ask("POST", "/v1/users", user, { token, key: "k1" });
    const again = await ask("POST", "/v1/users", user, { token, key: "k1" });
    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([201, 201, "true"]);
    expect(again.json).toEqual(first.json);
    const misused = await ask("POST", "/v1/users", { ...user, role: "admin" }, { token, key: "k1" });
    expect(misused.json).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REUSED" });
    expect((await ask("POST", "/v1/users", user, { token })).json.code).toBe("USER_EXISTS");
    const wanted = { name: "laptop", acts_for: "ada" };
    const made = await ask("POST", "/v1/tokens", wanted, { token, key: "k2" });
    const repeated = await ask("POST", "/v1/tokens", wanted, { token, key: "k2" });
    expect(repeated.json).toEqual({ ...made.json, token: null });
    expect((await ask("POST", "/v1/tenants", { name: "keys" })).json.code).toBe("TENANT_EXISTS");
    // The same key in another tenant is another request.
    expect((await ask("POST", "/v1/users?tenant=acme", user, { key: "k3" })).status).toBe(201);
    expect((await ask("POST", "/v1/users?tenant=default", user, { key: "k3" })).status).toBe(201);
  });

  it("let an agent act for a user, with less than the user may", async () => {
    const token = await tenantWithAdmin("agents");
    const agent = { name: "fixer", acts_for: "boss", kind: "agent", acts_as: "fixer", role: "operator" };
    const made = await ask("POST", "/v1/tokens", agent, { token });
    const me = await whoIs(made.json.token);
    expect(me.json).toMatchObject({ actor: "agent:fixer", accountable: "user:boss", role: "operator" });
    const asAgent = await ask("POST", "/v1/users", { name: "x" }, { token: made.json.token });
    expect(asAgent.json).toMatchObject({ status: 403, code: "ROLE_TOO_LOW" });
    for (const [wrong, pointer] of [
      [{ ...agent, acts_as: null }, "/acts_as"],
      [{ ...agent, kind: "person" }, "/acts_as"],
      [{ ...agent, expires_at: "2020-01-01T00:00:00Z" }, "/expires_at"],
    ] as const) {
      const refused = await ask("POST", "/v1/tokens", wrong, { token });
      expect(refused.json).toMatchObject({ status: 422, code: "TOKEN_INVALID", errors: [{ pointer }] });
    }
    await ask("PATCH", "/v1/users/boss", { role: "viewer" }, { token });
    await waitFor("the other server to hear of it", async () => {
      return (await whoIs(made.json.token, two)).json.role === "viewer";
    });
    const high = await ask("POST", "/v1/tokens?tenant=agents", {
      name: "n",
      acts_for: "boss",
      role: "admin",
    });
    expect(high.json).toMatchObject({ code: "TOKEN_INVALID", errors: [{ pointer: "/role" }] });
  });

  it("end at once on every server: a revoked token, a removed user, a removed tenant", async () => {
    const token = await tenantWithAdmin("ending");
    const made = await ask("POST", "/v1/tokens", { name: "n", acts_for: "boss" }, { token });
    const revoked = await ask("DELETE", `/v1/tokens/${made.json.id}`, undefined, { token });
    expect(revoked.json).toMatchObject({ revoked_by: "user:boss", revoked_at: expect.any(String) });
    expect((await ask("DELETE", `/v1/tokens/${made.json.id}`, undefined, { token })).json).toEqual(
      revoked.json,
    );
    await refusedSoon(made.json.token, two);
    await ask("DELETE", "/v1/users/boss?tenant=ending");
    await refusedSoon(token, two);
    const other = await tenantWithAdmin("leaving");
    await ask("DELETE", "/v1/tenants/leaving");
    await refusedSoon(other, two);
    expect((await ask("DELETE", "/v1/tenants/default")).json.code).toBe("TENANT_IS_HOME");
  });

  it("of another tenant are answered exactly as ones that never were", async () => {
    const token = await tenantWithAdmin("hiding");
    const theirs = (await ask("GET", "/v1/tokens?tenant=acme")).json.data[0].id;
    for (const [method, there, never] of [
      ["GET", `/v1/tokens/${theirs}`, `/v1/tokens/${"0".repeat(26)}`],
      ["DELETE", `/v1/tokens/${theirs}`, `/v1/tokens/${"0".repeat(26)}`],
      ["GET", "/v1/users/ada", "/v1/users/nobody"],
      ["PATCH", "/v1/users/ada", "/v1/users/nobody"],
      ["DELETE", "/v1/users/ada", "/v1/users/nobody"],
      ["GET", "/v1/users?tenant=acme", "/v1/users?tenant=nowhere"],
      ["POST", "/v1/users?tenant=acme", "/v1/users?tenant=nowhere"],
      ["GET", "/v1/tokens?tenant=acme", "/v1/tokens?tenant=nowhere"],
      ["GET", "/v1/tenants/acme", "/v1/tenants/nowhere"],
    ] as const) {
      const body = method === "PATCH" || method === "POST" ? { name: "x", role: "viewer" } : undefined;
      const wanted = method === "PATCH" ? { role: "viewer" } : body;
      const [found, absent] = [
        await ask(method, there, wanted, { token }),
        await ask(method, never, wanted, { token }),
      ];
      expect([403, 404], there).toContain(found.status);
      expect(comparable(found), there).toEqual(comparable(absent));
    }
  });

  it("have limits, which an admin of the installation sets and sees in force", async () => {
    const { json } = await ask("PATCH", "/v1/tenants/acme", { limits: { pending_max: 5, follows_max: 0 } });
    expect(json.limits).toMatchObject({ pending_max: 5, follows_max: 0, submits_per_minute: null });
    expect(json.limits_in_force).toMatchObject({ pending_max: 5, follows_max: 0, submits_per_minute: 0 });
    await waitFor(
      "the other server to hear of it",
      async () => two.people.people.limits("acme").pending_max === 5,
    );
    const back = await ask("PATCH", "/v1/tenants/acme", { limits: { pending_max: null } });
    expect(back.json.limits).toMatchObject({ pending_max: null, follows_max: 0 });
  });
});

describe("the commands about people", () => {
  /** A command in this process, against the first server. */
  async function cazi(args: readonly string[], token = firstToken) {
    await one.api.app.listen({ host: "127.0.0.1", port: 0 }).catch(() => undefined);
    const { port } = one.api.app.server.address() as AddressInfo;
    const env = { CAZI_URL: `http://127.0.0.1:${port}`, CAZI_TOKEN: token };
    return runCommand(args, { env });
  }

  it("add a tenant, a user and a token, which is all of standard output, and take them away again", async () => {
    expect(await cazi(["tenant", "add", "shop", "--pending-max", "7"])).toMatchObject({
      code: 0,
      stdout: "",
    });
    expect((await cazi(["tenant", "list"])).stdout).toMatch(/^shop +7 +none +100 +none/m);
    const limits = await cazi(["tenant", "set", "shop", "--pending-max", "default", "--follows-max", "3"]);
    expect(limits.stderr).toContain("pending_max none, submits_per_minute none, follows_max 3");
    expect((await cazi(["user", "add", "eve", "--role", "admin", "--tenant", "shop"])).code).toBe(0);
    const made = await cazi([
      "token",
      "create",
      "laptop",
      "--for",
      "eve",
      "--expires",
      "30d",
      "--tenant",
      "shop",
    ]);
    expect(made.stdout).toMatch(/^cazi_[\w-]{43}\n$/);
    expect(made.stderr).not.toContain(made.stdout.trim());
    const eve = made.stdout.trim();
    expect((await cazi(["whoami"], eve)).stdout).toMatch(/tenant +shop\nactor +user:eve\nrole +admin/);
    const agent = await cazi(
      ["token", "create", "a", "--for", "eve", "--agent", "fixer", "--role", "viewer"],
      eve,
    );
    expect((await cazi(["whoami"], agent.stdout.trim())).stdout).toMatch(
      /actor +agent:fixer\naccountable +user:eve/,
    );
    expect((await cazi(["token", "list"], eve)).stdout).toMatch(/a +eve +agent fixer +viewer/);
    expect((await cazi(["tenant", "list"], eve)).code).toBe(4);
    expect((await cazi(["user", "set", "eve", "--role", "operator"], eve)).code).toBe(0);
    expect((await cazi(["user", "list"], eve)).code).toBe(4);
    expect((await cazi(["user", "remove", "eve", "--tenant", "shop"])).code).toBe(0);
    expect((await cazi(["whoami"], eve)).code).toBe(4);
    expect((await cazi(["user", "set", "eve", "--restore", "--tenant", "shop"])).code).toBe(0);
    expect((await cazi(["whoami"], eve)).stdout).toContain("operator");
    expect((await cazi(["user", "remove", "eve", "--tenant", "shop"])).code).toBe(0);
    const [{ id }] = JSON.parse(
      (await cazi(["token", "list", "--tenant", "shop", "-o", "json"])).stdout,
    ).data;
    expect((await cazi(["token", "revoke", id, "--tenant", "shop"])).stderr).toContain("by user:admin");
    expect((await cazi(["tenant", "remove", "shop"])).code).toBe(0);
    expect((await cazi(["tenant", "set", "shop", "--restore"])).code).toBe(0);
    expect((await ask("GET", "/v1/tenants/shop")).json.removed_at).toBeNull();
    expect((await cazi(["token", "create", "n", "--for", "eve", "--tenant", "shop"])).code).toBe(3);
  });
});

describe("while something is away", () => {
  it("tokens are verified and revoked without Postgres, which hears of it later", async () => {
    const token = await tenantWithAdmin("alone");
    const made = await ask("POST", "/v1/tokens", { name: "n", acts_for: "boss" }, { token });
    await postgres.kill();
    expect((await whoIs(token)).status).toBe(200);
    expect((await whoIs(`cazi_${"0".repeat(43)}`)).status).toBe(401);
    expect((await ask("POST", "/v1/users", { name: "x" }, { token })).json.code).toBe("DATABASE_UNAVAILABLE");
    const revoked = await ask("DELETE", `/v1/tokens/${made.json.id}`, undefined, { token });
    expect(revoked.json).toMatchObject({ id: made.json.id, revoked_by: "user:boss" });
    await refusedSoon(made.json.token, two);
    await postgres.restart();
    await waitFor("Postgres", () => two.people.sync().then(() => true));
    const { json } = await ask("GET", `/v1/tokens/${made.json.id}`, undefined, { token });
    expect(json).toMatchObject({ revoked_by: "user:boss", revoked_at: revoked.json.revoked_at });
    expect((await whoIs(made.json.token)).status).toBe(401);
  });

  it("what a death between Postgres and the bucket left, and what the bucket lost, is brought by a comparison", async () => {
    const token = await tenantWithAdmin("healing");
    const kv = await one.nats.js.views.kv("tokens");
    const keys: string[] = [];
    for await (const key of await kv.keys()) keys.push(key);
    for (const key of keys) await kv.delete(key);
    await waitFor("the bucket to be empty", async () => (await whoIs(token, two)).status === 401);
    await one.people.sync();
    await waitFor("everybody to be back", async () => (await whoIs(token, two)).status === 200);
  });

  it("a token that Postgres never knew is forgotten", async () => {
    const token = await tenantWithAdmin("forged");
    const access = { role: "app", tenant: "forged" } as const;
    await queryInTenant(one.pool, access, "UPDATE tokens SET creation = creation || '-'", []);
    const kv = await one.nats.js.views.kv("tokens");
    const keys: string[] = [];
    for await (const key of await kv.keys("token.*")) keys.push(key);
    const entries = await Promise.all(keys.map((key) => kv.get(key)));
    const own = entries.find((entry) => entry!.json<{ tenant: string }>().tenant === "forged")!;
    const hash = "ab".repeat(32);
    const text = JSON.stringify({ ...own.json<object>(), hash, id: "forged" });
    await kv.put(`token.${hash}`, new TextEncoder().encode(text));
    await waitFor("the server to hear of it", async () =>
      (await ask("DELETE", "/v1/tokens/forged?tenant=forged")).status === 404 ? true : null,
    );
    await one.people.sync();
    expect((await kv.get(`token.${hash}`))?.operation).toBe("DEL");
    expect((await whoIs(token)).status).toBe(200);
  });

  it("when a token was used last is written together, later", async () => {
    const token = await tenantWithAdmin("using");
    await whoIs(token);
    const third = await replica();
    await whoIs(token, third);
    await third.people.stop();
    const listed = await ask("GET", "/v1/tokens", undefined, { token });
    expect(listed.json.data[0].last_used_at).toEqual(expect.any(String));
    await third.api.app.close();
    await third.pool.end();
    await third.nats.close();
  });

  it("the first token is revoked for good, also for a server that starts later with the same file", async () => {
    const { json } = await whoIs(firstToken);
    const admin = await tenantWithAdmin("default");
    const revoked = await ask("DELETE", `/v1/tokens/${json.token.id}`, undefined, { token: admin });
    expect(revoked.json).toMatchObject({ kind: "first", revoked_by: "user:boss" });
    await refusedSoon(firstToken, two);
    const later = await replica();
    expect((await whoIs(firstToken, later)).status).toBe(401);
    expect((await whoIs(admin, later)).json.installation_admin).toBe(true);
    await later.people.stop();
    await later.api.app.close();
    await later.pool.end();
    await later.nats.close();
  });
});

/** A revocation travels by NATS: milliseconds. */
async function refusedSoon(token: string, at: Replica): Promise<void> {
  expect((await whoIs(token, one)).json.code).toBe("UNAUTHENTICATED");
  await waitFor("the other server to refuse", async () => (await whoIs(token, at)).status === 401, {
    deadlineMs: 2_000,
  });
}

/** Without what is the answer's own. */
function comparable({ status, headers, json }: Answer): object {
  const { date: _date, "x-correlation-id": _id, ...rest } = headers;
  return { status, headers: rest, json: { ...json, correlation_id: "" } };
}
