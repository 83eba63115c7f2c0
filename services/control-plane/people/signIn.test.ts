import { createServer, type Server } from "node:http";
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "../../kernel/log.ts";
import type { Principal } from "../ports.ts";
import { PeopleDirectory } from "./directory.ts";
import { verifySignIn } from "./verifySignIn.ts";

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

/** An issuer on loopback: its discovery document and its keys, each counted. */
class Issuer {
  readonly #server: Server;
  readonly keys = new Map<string, { readonly pair: Pair; readonly alg: string }>();
  asked = { document: 0, keys: 0 };
  up = true;
  claimsToBe: string | null = null;

  constructor() {
    this.#server = createServer(async (request, response) => {
      if (!this.up) return void response.writeHead(500).end();
      const isDocument = request.url === "/.well-known/openid-configuration";
      this.asked[isDocument ? "document" : "keys"]++;
      const jwks = { keys: await Promise.all([...this.keys].map(([kid, key]) => publicOf(kid, key))) };
      const document = { issuer: this.claimsToBe ?? this.url, jwks_uri: `${this.url}/keys` };
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify(isDocument ? document : jwks));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    await this.addKey("ed", "EdDSA");
    await this.addKey("rsa", "RS256");
  }

  async addKey(kid: string, alg: string): Promise<void> {
    this.keys.set(kid, { pair: await generateKeyPair(alg, { extractable: true }), alg });
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function publicOf(kid: string, { pair, alg }: { readonly pair: Pair; readonly alg: string }) {
  return { ...(await exportJWK(pair.publicKey)), kid, alg, use: "sig" };
}

const ada: Principal = { tenant: "default", actor: "user:ada", role: "operator" };
const log = createLog("silent", "test");
const issuer = new Issuer();
const time = { ms: 0 };
const clock = { now: () => Date.now(), monotonicMs: () => time.ms };

beforeAll(() => issuer.start());
afterAll(() => issuer.stop());

function verifier(more: object = {}, cooldownMs = 60_000) {
  const set = { oidcIssuer: issuer.url, oidcAudience: "cazi", oidcUserClaim: "sub", oidcTenantClaim: "" };
  const directory = {
    signsIn: (tenant: string, login: string) => (login === "ada" ? { ...ada, tenant } : null),
  };
  const config = { tenant: "default", ...set, ...more };
  return verifySignIn({ config, directory, clock, log, cooldownMs })!;
}

interface Signed {
  readonly kid?: string;
  readonly key?: string;
  readonly claims?: object;
  readonly iss?: string;
  readonly aud?: string | string[];
  readonly expires?: number | null;
}

async function signed({ kid, key = "ed", claims = {}, iss, aud = "cazi", expires = 600 }: Signed = {}) {
  const { pair, alg } = issuer.keys.get(key)!;
  const token = new SignJWT({ sub: "ada", ...claims })
    .setProtectedHeader({ alg, kid: kid ?? key })
    .setIssuer(iss ?? issuer.url)
    .setAudience(aud);
  if (expires !== null) token.setExpirationTime(Math.floor(Date.now() / 1000) + expires);
  return await token.sign(pair.privateKey);
}

describe("a sign-in", () => {
  it("speaks for the user whose login its claim names, whichever key of the issuer signed it", async () => {
    const verify = verifier();
    expect(await verify(await signed())).toEqual(ada);
    expect(await verify(await signed({ key: "rsa" }))).toEqual(ada);
  });

  it("names login and tenant in the claims that are configured", async () => {
    const verify = verifier({ oidcUserClaim: "email", oidcTenantClaim: "org" });
    const claims = { sub: "x", email: "ada", org: "acme" };
    expect(await verify(await signed({ claims }))).toEqual({ ...ada, tenant: "acme" });
    expect(await verify(await signed({ claims: { ...claims, org: undefined } }))).toBeNull();
    expect(await verify(await signed({ claims: { ...claims, email: ["ada"] } }))).toBeNull();
  });

  it.each<[string, Signed]>([
    ["expired", { expires: -60 }],
    ["without an end", { expires: null }],
    ["for another audience", { aud: "others" }],
    ["of another issuer", { iss: "https://other.example" }],
    ["signed by another key than it names", { kid: "rsa", key: "ed" }],
    ["of somebody who is no user", { claims: { sub: "eve" } }],
    ["that begins later", { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
  ])("is refused: one %s", async (_what, wrong) => {
    expect(await verifier()(await signed(wrong))).toBeNull();
  });

  it("is refused unsigned, signed with a shared secret, altered, or as no token at all", async () => {
    const verify = verifier();
    const good = await signed();
    const [, payload] = good.split(".");
    const header = (of: object) => Buffer.from(JSON.stringify(of)).toString("base64url");
    const shared = await new SignJWT({ sub: "ada" })
      .setProtectedHeader({ alg: "HS256", kid: "rsa" })
      .setIssuer(issuer.url)
      .setAudience("cazi")
      .setExpirationTime("10m")
      .sign(new TextEncoder().encode("any secret that the issuer publishes"));
    for (const token of [
      `${header({ alg: "none" })}.${payload}.`,
      `${header({ alg: "none", kid: "ed" })}.${payload}.AA`,
      shared,
      `${good.slice(0, -6)}AAAAAA`,
      "a.b.c",
      "cazi",
    ]) {
      expect(await verify(token), token).toBeNull();
    }
  });

  it("is refused signed with what the issuer publishes as a shared secret, whatever algorithm the header names", async () => {
    const verify = verifier();
    const { pair } = issuer.keys.get("rsa")!;
    const jwk = await exportJWK(pair.publicKey);
    const published = [
      await exportSPKI(pair.publicKey),
      JSON.stringify(jwk),
      jwk.n!,
      Buffer.from(jwk.n!, "base64url"),
    ];
    const claims = { sub: "ada", iss: issuer.url, aud: "cazi", exp: Math.floor(Date.now() / 1000) + 600 };
    for (const secret of published) {
      for (const alg of ["HS256", "HS512"]) {
        for (const kid of ["rsa", undefined]) {
          const token = await new SignJWT(claims)
            .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) })
            .sign(Buffer.from(secret as string));
          expect(await verify(token)).toBeNull();
        }
      }
    }
  });

  it("is refused with a key of its own in the header, by value or by address, and no address is asked", async () => {
    const verify = verifier();
    const { publicKey, privateKey } = await generateKeyPair("EdDSA", { extractable: true });
    const jwk = await exportJWK(publicKey);
    const asked: string[] = [];
    const lure = createServer((request, response) => {
      asked.push(request.url!);
      response.end(JSON.stringify({ keys: [{ ...jwk, kid: "ed", alg: "EdDSA" }] }));
    });
    await new Promise<void>((resolve) => lure.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(lure.address() as { port: number }).port}/keys`;
    for (const header of [{ jwk }, { jku: at }, { x5u: at }, { jwk, kid: "ed" }, { jku: at, kid: "own" }]) {
      const token = await new SignJWT({ sub: "ada" })
        .setProtectedHeader({ alg: "EdDSA", ...header })
        .setIssuer(issuer.url)
        .setAudience("cazi")
        .setExpirationTime("10m")
        .sign(privateKey);
      expect(await verify(token), JSON.stringify(header)).toBeNull();
    }
    lure.close();
    expect(asked).toEqual([]);
  });

  it("may be as old, or begin as late, as clocks differ by, and no more", async () => {
    const verify = verifier();
    const begins = (inSeconds: number) => ({ claims: { nbf: Math.floor(Date.now() / 1000) + inSeconds } });
    expect(await verify(await signed({ expires: -20 }))).toEqual(ada);
    expect(await verify(await signed({ expires: -40 }))).toBeNull();
    expect(await verify(await signed(begins(20)))).toEqual(ada);
    expect(await verify(await signed(begins(40)))).toBeNull();
  });

  it("for several audiences is taken where Cazi is one, and for one that only begins alike it is not", async () => {
    const verify = verifier();
    expect(await verify(await signed({ aud: ["others", "cazi"] }))).toEqual(ada);
    for (const aud of ["caz", "cazi-admin", "CAZI", [], ""])
      expect(await verify(await signed({ aud }))).toBeNull();
    for (const iss of [`${issuer.url}/`, issuer.url.replace("http:", "https:"), ""])
      expect(await verify(await signed({ iss })), iss).toBeNull();
  });

  it("names a tenant that is there, or speaks for nobody: the claim is a name and no pattern", async () => {
    const people = new PeopleDirectory("default");
    const record = { version: 1, removed_at: null };
    const limits = { pending_max: null, submits_per_minute: null, follows_max: null, stored_bytes_max: null };
    for (const tenant of ["default", "acme"]) people.hear({ record: "tenant", tenant, ...limits, ...record });
    people.hear({ record: "user", tenant: "acme", name: "ada", role: "operator", login: "ada", ...record });
    people.hear({
      record: "user",
      tenant: "default",
      name: "root",
      role: "admin",
      login: "acme/ada",
      ...record,
    });
    const set = {
      oidcIssuer: issuer.url,
      oidcAudience: "cazi",
      oidcUserClaim: "sub",
      oidcTenantClaim: "org",
    };
    const verify = verifySignIn({ config: { tenant: "default", ...set }, directory: people, clock, log })!;
    const of = async (claims: object) => verify(await signed({ claims }));
    expect(await of({ sub: "ada", org: "acme" })).toMatchObject({
      tenant: "acme",
      actor: "user:ada",
      role: "operator",
    });
    for (const org of [
      "default",
      "other",
      "*",
      "acme.*",
      "",
      "default/acme",
      "../acme",
      ["acme"],
      null,
      1,
      { a: 1 },
    ])
      expect(await of({ sub: "ada", org }), String(org)).toBeNull();
    // What an issuer says of roles is not asked.
    expect(await of({ sub: "ada", org: "acme", role: "admin", installation: true })).toMatchObject({
      role: "operator",
    });
    people.hear({ record: "tenant", tenant: "acme", ...limits, ...record, version: 2, removed_at: 1 });
    expect(await of({ sub: "ada", org: "acme" })).toBeNull();
  });

  it("of a key that nobody knows asks the issuer once in a while, however many come", async () => {
    const verify = verifier();
    await verify(await signed());
    const before = issuer.asked.keys;
    for (let count = 0; count < 20; count++)
      expect(await verify(await signed({ kid: `k${count}` }))).toBeNull();
    expect(issuer.asked.keys - before).toBeLessThanOrEqual(1);
  });

  it("of a rotated key is taken once the issuer may be asked again", async () => {
    const verify = verifier({}, 0);
    await verify(await signed());
    await issuer.addKey("new", "EdDSA");
    expect(await verify(await signed({ key: "new" }))).toEqual(ada);
    issuer.keys.delete("new");
  });

  it("cannot be told while the issuer is away or is not who it should be, and is told again later", async () => {
    const verify = verifier({}, 1_000);
    const token = await signed();
    issuer.up = false;
    await expect(verify(token)).rejects.toMatchObject({ code: "SIGN_IN_UNREACHABLE" });
    issuer.up = true;
    const { document } = issuer.asked;
    await expect(verify(token)).rejects.toMatchObject({ code: "SIGN_IN_UNREACHABLE" });
    expect(issuer.asked.document).toBe(document);
    time.ms += 1_000;
    issuer.claimsToBe = "https://other.example";
    await expect(verify(token)).rejects.toMatchObject({ code: "SIGN_IN_UNREACHABLE" });
    issuer.claimsToBe = null;
    time.ms += 1_000;
    expect(await verify(token)).toEqual(ada);
  });

  it("is none without an issuer, and needs an audience beside one", () => {
    expect(verifySignIn({ config: off, directory: { signsIn: () => ada }, clock, log })).toBeNull();
    expect(() => verifier({ oidcAudience: "" })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

const off = {
  tenant: "default",
  oidcIssuer: "",
  oidcAudience: "",
  oidcUserClaim: "sub",
  oidcTenantClaim: "",
};
