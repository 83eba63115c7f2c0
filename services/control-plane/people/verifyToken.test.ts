import { describe, expect, it } from "vitest";
import { tokenHash } from "../http/authenticate.ts";
import type { Principal } from "../ports.ts";
import { PeopleDirectory } from "./directory.ts";
import type { TokenRecord } from "./records.ts";
import { tokenVerifier } from "./verifyToken.ts";

const first: Principal = { tenant: "default", actor: "user:admin", role: "admin" };
const token = (letter: string) => `cazi_${letter.repeat(43)}`;
const hex = (text: string) => tokenHash(text).toString("hex");
const recordOf = (text: string, more: Partial<TokenRecord> = {}): TokenRecord => ({
  ...{ record: "token", tenant: "acme", id: text.slice(5, 6), hash: hex(text), name: "n", kind: "person" },
  ...{ acts_for: "ada", acts_as: null, role: "viewer", expires_at: null, revoked_at: null, revoked_by: null },
  ...{ version: 1, ...more },
});

function given(of: { inBucket?: TokenRecord; fresh?: boolean; signIn?: Principal } = {}) {
  const directory = new PeopleDirectory("default");
  const limits = { pending_max: null, submits_per_minute: null, follows_max: null, stored_bytes_max: null };
  directory.hear({ record: "tenant", tenant: "acme", ...limits, removed_at: null, version: 1 });
  const user = { name: "ada", role: "admin", login: null, removed_at: null, version: 1 } as const;
  directory.hear({ record: "user", tenant: "acme", ...user });
  directory.hear(recordOf(token("k")));
  const asked: string[] = [];
  const used: Principal[] = [];
  const { verify } = tokenVerifier({
    directory,
    bucket: {
      find: async (hash) => {
        asked.push(hash);
        return of.inBucket?.hash === hash ? of.inBucket : null;
      },
    },
    first: { token: token("f"), principal: first },
    signIn: of.signIn === undefined ? null : async () => of.signIn!,
    fresh: () => of.fresh ?? true,
    used: (principal) => used.push(principal),
    now: () => 0,
  });
  return { directory, verify, asked, used };
}

describe("a bearer token", () => {
  it("that is known is answered from memory, and noted as used", async () => {
    const { verify, asked, used } = given();
    expect(await verify(token("k"))).toMatchObject({ actor: "user:ada" });
    expect([asked.length, used.length]).toEqual([0, 1]);
  });

  it("that is not known is looked up in the bucket, where it looks like a token at all", async () => {
    const { verify, asked } = given({ inBucket: recordOf(token("n")) });
    expect(await verify(token("n"))).toMatchObject({ actor: "user:ada" });
    expect(await verify(token("x"))).toBeNull();
    expect(await verify("cazi_short")).toBeNull();
    expect(asked).toEqual([hex(token("n")), hex(token("x"))]);
  });

  it("of the home is good while nobody has revoked it", async () => {
    const { verify, directory } = given();
    expect(await verify(token("f"))).toBe(first);
    directory.hear(recordOf(token("f"), { kind: "first", revoked_at: 1 }));
    await expect(verify(token("f"))).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining("was revoked at"),
    });
  });

  it.each([
    ["has expired", { expires_at: 0 }, "This token expired at 1970-01-01T00:00:00.000Z."],
    ["was revoked", { revoked_at: 0, expires_at: 0 }, "This token was revoked at 1970-01-01T00:00:00.000Z."],
  ])("that %s says so to its holder, and how to have another", async (_, end, message) => {
    const { verify, directory, used } = given();
    directory.hear(recordOf(token("e"), end));
    await expect(verify(token("e"))).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message,
      hint: expect.stringContaining("`cazi token create`"),
    });
    expect(used).toEqual([]);
  });

  it("of a tenant that is not there is refused as one that nobody knows", async () => {
    const { verify, directory } = given();
    directory.hear(recordOf(token("o"), { tenant: "other" }));
    expect(await verify(token("o"))).toBeNull();
  });

  it("is not taken from a memory that nothing has reached for long: it may be revoked", async () => {
    const { verify } = given({ fresh: false });
    await expect(verify(token("k"))).rejects.toMatchObject({ code: "TOKENS_UNREACHABLE" });
    expect(await verify(token("f"))).toBe(first);
  });

  it("of another form is a sign-in where there is an issuer", async () => {
    const signIn = { ...first, actor: "user:eve" };
    expect(await given({ signIn }).verify("a.b.c")).toBe(signIn);
    expect(await given().verify("a.b.c")).toBeNull();
  });
});
