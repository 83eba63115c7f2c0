import { describe, expect, it } from "vitest";
import { PeopleDirectory } from "./directory.ts";
import type { TenantRecord, TokenRecord, UserRecord } from "./records.ts";

const tenant: TenantRecord = {
  record: "tenant",
  tenant: "acme",
  pending_max: null,
  submits_per_minute: null,
  follows_max: null,
  stored_bytes_max: null,
  removed_at: null,
  version: 1,
};
const ada: UserRecord = {
  record: "user",
  tenant: "acme",
  name: "ada",
  role: "operator",
  login: "ada@example.org",
  removed_at: null,
  version: 2,
};
const own: TokenRecord = {
  record: "token",
  tenant: "acme",
  id: "t1",
  hash: "aa",
  name: "laptop",
  kind: "person",
  acts_for: "ada",
  acts_as: null,
  role: "operator",
  expires_at: null,
  revoked_at: null,
  revoked_by: null,
  version: 3,
};

function given(...records: readonly Parameters<PeopleDirectory["hear"]>[0][]) {
  const directory = new PeopleDirectory("default");
  for (const one of records) directory.hear(one);
  const who = (nowMs = 0) => {
    const token = directory.byHash("aa");
    return token === undefined ? null : directory.speaksFor(token, nowMs);
  };
  return { directory, who };
}

describe("a token", () => {
  it("speaks for its user in the user's tenant", () => {
    expect(given(tenant, ada, own).who()).toMatchObject({
      tenant: "acme",
      actor: "user:ada",
      accountable: null,
      role: "operator",
      installation: false,
      token: { id: "t1" },
    });
  });

  it("of an agent speaks for the agent, its user being accountable", () => {
    const agent = { ...own, kind: "agent", acts_as: "fixer" } as const;
    expect(given(tenant, ada, agent).who()).toMatchObject({ actor: "agent:fixer", accountable: "user:ada" });
  });

  it("never has a higher role than its user has now", () => {
    const high = { ...own, role: "admin" } as const;
    expect(given(tenant, ada, high).who()).toMatchObject({ role: "operator" });
    expect(given(tenant, ada, high, { ...ada, role: "viewer", version: 9 }).who()).toMatchObject({
      role: "viewer",
    });
    expect(given(tenant, ada, { ...own, role: "viewer" }).who()).toMatchObject({ role: "viewer" });
  });

  it("speaks for nobody once it, its user or its tenant has ended, or while one of them is unknown", () => {
    const ended = { removed_at: 5, version: 9 };
    for (const records of [
      [tenant, ada, { ...own, revoked_at: 5 }],
      [tenant, { ...ada, ...ended }, own],
      [{ ...tenant, ...ended }, ada, own],
      [tenant, own],
      [ada, own],
      [tenant, ada, { ...own, kind: "first" as const }],
    ]) {
      expect(given(...records).who()).toBeNull();
    }
  });

  it("ends at its time", () => {
    const { who } = given(tenant, ada, { ...own, expires_at: 1_000 });
    expect([who(999) !== null, who(1_000)]).toEqual([true, null]);
  });

  it("stays revoked, whatever older or newer state is heard afterwards", () => {
    const revoked = { ...own, revoked_at: 5, revoked_by: "user:bob" };
    for (const version of [2, 3, 4]) {
      expect(given(tenant, ada, revoked, { ...own, version }).who()).toBeNull();
      expect(given(tenant, ada, { ...own, version }, revoked).who()).toBeNull();
    }
  });
});

describe("a user who signs in", () => {
  it("is found by what the claim says, in the tenant alone, until it is another's or the user is removed", () => {
    const { directory } = given(tenant, ada);
    const login = "ada@example.org";
    expect(directory.signsIn("acme", login)).toMatchObject({ actor: "user:ada", role: "operator" });
    expect(directory.signsIn("other", login)).toBeNull();
    directory.hear({ ...ada, login: "ada@new.example.org", version: 5 });
    expect(directory.signsIn("acme", login)).toBeNull();
    directory.hear({ ...ada, login: "ada@new.example.org", removed_at: 1, version: 6 });
    expect(directory.signsIn("acme", "ada@new.example.org")).toBeNull();
  });
});
