import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPlaced, type PlacedTask } from "../../domain/task/taskState.ts";
import { newId } from "../../kernel/ids.ts";
import { projectRoot } from "../../kernel/projectRoot.ts";
import { openMasterKey } from "../../kernel/sealing/masterKey.ts";
import { memoryKv } from "../../kernel/testing/memoryKv.ts";
import { type ApiFixture, apiFixture, testIdentity, testTenant } from "../testing/apiFixture.ts";
import { createMemoryLedger } from "../testing/memoryLedger.ts";
import { type Identity, openIdentity } from "./identity.ts";

const clock = { time: Date.now(), now: () => clock.time, monotonicMs: () => performance.now() };
const log = { debug() {}, info() {}, warn() {}, error() {} } as never;
const ledger = createMemoryLedger();
let url = "";
let identity: Identity;
let api: ApiFixture;

beforeAll(async () => {
  identity = await openIdentity(
    { kv: memoryKv(), ledger, master: openMasterKey("x".repeat(40)), clock, log },
    { ...testIdentity, issuer: () => url, audiences: ["billing"] },
  );
  api = await apiFixture({ identity, ledger });
  url = await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => api.app.close());

/** A task whose attempt was granted to a node, and its token. */
async function granted() {
  const key = { tenant: testTenant, task: newId(clock.time) };
  const at = clock.time;
  const who = { actor: "agent:builder", accountable: "user:ada", route: "mcp" };
  const limits = { timeout_ms: 60_000, max_retries: 1, ttl_ms: null, start_within_ms: null, sinks: 0 };
  const intent = { spec: "{}", spec_digest: "sha256:1", request_hash: null, source: "submit", who, limits };
  const none = { image: null, traceparent: null, tracestate: null, blocked: null };
  await ledger.execute(key, { kind: "submit", id: newId(at), at, ...intent, ...none });
  await ledger.execute(key, { kind: "schedule", node: "n1", id: newId(at), at });
  const scheduled = (await ledger.load(key)).state as PlacedTask;
  const { fence, attempt } = scheduled;
  await ledger.execute(key, { kind: "grant", node: "n1", fence, attempt, id: newId(at), at });
  const { state } = await ledger.load(key);
  if (!isPlaced(state)) throw new Error(state.status);
  return { key, state, token: await identity.issue(key, state) };
}

const refused = { code: "WORKLOAD_TOKEN_INVALID" };

describe("a workload token", () => {
  it("names task, attempt, node and the person it acts for, and lives as long as the attempt may", async () => {
    const { key, state, token } = await granted();
    const iat = Math.floor(clock.time / 1000);
    expect(decodeJwt(token)).toEqual({
      iss: url,
      sub: `tenant:acme:task:${key.task}`,
      aud: [url, "billing"],
      iat,
      nbf: iat - 60,
      exp: Math.ceil((clock.time + 1_000 + 60_000 + 1_000) / 1000),
      jti: state.fence,
      cazi: {
        ...key,
        attempt: 1,
        fence: state.fence,
        node: "n1",
        person: "user:ada",
        actor: "agent:builder",
        route: "mcp",
        spec_digest: "sha256:1",
      },
    });
    expect(await identity.verify(token, url)).toEqual({ ...key, attempt: 1, fence: state.fence });
  });

  it("is checked by a verifier that has nothing but the JWKS endpoint", async () => {
    const { key, token } = await granted();
    const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(token, keys, { issuer: url, audience: "billing" });
    expect(payload.sub).toBe(`tenant:acme:task:${key.task}`);
    await identity.rotate({ soon: true, replaces: null });
    const later = await identity.issue(key, (await granted()).state);
    const fresh = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
    for (const one of [token, later])
      expect((await jwtVerify(one, fresh, { issuer: url })).payload.iss).toBe(url);
  });

  it("is checked by the example for services", async () => {
    const { key, token } = await granted();
    const [good, bad] = await Promise.all(
      ["billing", "payroll"].map((audience) => verifyByExample([url, audience], token)),
    );
    expect(good).toMatchObject({ code: 0 });
    expect(JSON.parse(good!.text).cazi.task).toBe(key.task);
    expect(bad).toMatchObject({ code: 1 });
  }, 30_000);
});

describe("a stolen or made-up workload token", () => {
  it("is refused once its attempt has ended, though its time has not", async () => {
    const { key, token } = await granted();
    await identity.verify(token, url);
    await endOf(key);
    await expect(identity.verify(token, url)).rejects.toMatchObject(refused);
  });

  it("is refused once the key that signed it is revoked, at the API and at the key set, while new ones are good", async () => {
    const { token } = await granted();
    await identity.verify(token, url);
    const { kid } = decodeProtectedHeader(token);
    const revoked = await api.ask("DELETE", `/v1/keys/${kid}`);
    expect(revoked.json.data.find((key: { kid: string }) => key.kid === kid)).toMatchObject({
      state: "revoked",
      revoked_by: "user:admin",
    });
    await expect(identity.verify(token, url)).rejects.toMatchObject(refused);
    const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
    await expect(jwtVerify(token, keys, { issuer: url })).rejects.toMatchObject({
      code: "ERR_JWKS_NO_MATCHING_KEY",
    });
    const fresh = (await granted()).token;
    await identity.verify(fresh, url);
    expect((await jwtVerify(fresh, keys, { issuer: url })).payload.iss).toBe(url);
    expect((await api.ask("DELETE", `/v1/keys/${kid}`)).json).toEqual(revoked.json);
    for (const never of ["x".repeat(43), "x"])
      expect((await api.ask("DELETE", `/v1/keys/${never}`)).json).toMatchObject({ code: "KEY_NOT_FOUND" });
  });

  it("is refused once another attempt of the task runs", async () => {
    const { key, state, token } = await granted();
    const at = clock.time;
    const { fence } = state;
    await ledger.execute(key, { kind: "lose", id: newId(at), at, fence, jitter: 0 });
    const later = at + 3_600_000;
    await ledger.execute(key, { kind: "schedule", node: "n1", id: newId(later), at: later });
    expect((await ledger.load(key)).state).toMatchObject({ status: "scheduled", attempt: 2 });
    await expect(identity.verify(token, url)).rejects.toMatchObject(refused);
  });

  it("is refused after its time, before it, and for another audience", async () => {
    const { token } = await granted();
    await expect(identity.verify(token, "payroll")).rejects.toMatchObject(refused);
    const time = clock.time;
    for (const away of [62_000 + 61_000, -121_000]) {
      clock.time = time + away;
      await expect(identity.verify(token, url), String(away)).rejects.toMatchObject(refused);
    }
    clock.time = time;
  });

  it("is refused where a bit of it was changed, where it is unsigned, and where another key signed it", async () => {
    const { token } = await granted();
    const claims = decodeJwt(token);
    const [head, body, signature] = token.split(".") as [string, string, string];
    const other = Buffer.from(JSON.stringify({ ...claims, sub: "tenant:acme:task:other" })).toString(
      "base64url",
    );
    const own = generateKeyPairSync("ed25519").privateKey;
    const kid = identity.jwks().keys[0]!.kid;
    const secret = Buffer.from(identity.jwks().keys[0]!.x, "base64url");
    const forged = {
      changed: `${head}.${other}.${signature}`,
      "of a changed signature": `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      unsigned: new UnsecuredJWT(claims).encode(),
      "of another key": await new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", kid }).sign(own),
      "signed with the public key as a secret": await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid })
        .sign(secret),
      "that is none": "nonsense",
      empty: "",
    };
    for (const [what, text] of Object.entries(forged)) {
      await expect(identity.verify(text, url), what).rejects.toMatchObject(refused);
    }
  });
});

describe("what is at /.well-known", () => {
  it("is open to all, may be kept for a while, and has no private half", async () => {
    const answer = await fetch(`${url}/.well-known/jwks.json`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    expect(answer.headers.get("content-type")).toMatch(/^application\/jwk-set\+json/);
    const { keys } = (await answer.json()) as { keys: object[] };
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
  });

  it("tells a verifier that knows the issuer alone where the keys are", async () => {
    const answer = await fetch(`${url}/.well-known/openid-configuration`);
    expect(await answer.json()).toMatchObject({
      issuer: url,
      jwks_uri: `${url}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: ["EdDSA"],
      subject_types_supported: ["public"],
      response_types_supported: ["id_token"],
    });
  });
});

describe("the keys over the API", () => {
  it("are listed with their states, and rotated once however often it is asked", async () => {
    const before = await api.ask("GET", "/v1/keys");
    const active = before.json.data.find((one: { state: string }) => one.state === "active");
    const body = JSON.stringify({ replaces: active.kid });
    const headers = { "content-type": "application/json" };
    const [first, second] = await Promise.all(
      [1, 2].map(() => api.ask("POST", "/v1/keys/rotate", { body, headers })),
    );
    expect(first!.status).toBe(200);
    expect(second!.json).toEqual(first!.json);
    expect(first!.json.data.filter((one: { state: string }) => one.state === "next")).toHaveLength(1);
  });
});

async function endOf(key: { tenant: string; task: string }): Promise<void> {
  const { state } = await ledger.load(key);
  const { fence, attempt } = state as PlacedTask;
  const now = clock.time;
  const logs = { stdout: { stored: 0, dropped: 0 }, stderr: { stored: 0, dropped: 0 } };
  const ended = { exit_code: 0, signal: null, oom_killed: false, stopped_by: null, failure: null };
  await ledger.execute(key, {
    kind: "report",
    id: newId(now),
    at: now,
    jitter: 0,
    report: {
      ...key,
      node: "n1",
      fence,
      attempt,
      revision: 1,
      image: null,
      pull: null,
      not_started: null,
      started_at: now,
      ended: { ...ended, finished_at: now, message: null },
      logs,
    },
  });
}

function verifyByExample(args: readonly string[], token: string) {
  const script = join(projectRoot, "deploy/examples/identity/verify-workload-token.mjs");
  const child = spawn(process.execPath, [script, ...args], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(token);
  return new Promise<{ code: number | null; text: string }>((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("close", (code) => resolve({ code, text }));
  });
}
