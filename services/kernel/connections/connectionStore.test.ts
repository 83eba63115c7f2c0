import { beforeEach, describe, expect, it } from "vitest";
import { SecretMasker } from "../redaction/secretMasker.ts";
import { openMasterKey } from "../sealing/masterKey.ts";
import { memoryKv } from "../testing/memoryKv.ts";
import { PAST_CHARS_MAX, removed, replaced } from "./connectionRecord.ts";
import { type ConnectionStore, createConnectionStore } from "./connectionStore.ts";

const master = openMasterKey("a master key that is used in tests alone");
const clock = { now: () => 1_700_000_000_000, monotonicMs: () => 0 };
const key = { tenant: "acme", name: "github" };
const values = (token: string) => ({ environment: { TOKEN: token }, files: {}, registry: null });
const to = (token: string, by = "user:ada") => ({ values: values(token), description: null, by });
let kv = memoryKv();
let store: ConnectionStore;
beforeEach(() => {
  kv = memoryKv();
  store = createConnectionStore({ kv, master, clock });
});

describe("a stored connection", () => {
  it("shows names and who changed it, and keeps values where the master key is", async () => {
    expect(await store.put(key, to("ghp_first-secret"))).toMatchObject({ created: true });
    const { connection, created } = await store.put(key, to("ghp_second-secret", "user:bob"));
    expect(created).toBe(false);
    expect(connection).toMatchObject({
      name: "github",
      version: 2,
      environment: ["TOKEN"],
      created_by: "user:ada",
      updated_by: "user:bob",
    });
    expect(await store.list("acme")).toEqual([connection]);
    expect(await store.list("other")).toEqual([]);
    expect((await kv.get("acme.github"))!.string()).not.toMatch(/ghp_|secret/);
    expect(JSON.stringify(connection)).not.toContain("ghp_");
    expect((await store.open("acme", ["github"])).values).toEqual([
      { name: "github", ...values("ghp_second-secret") },
    ]);
  });

  it("cannot be moved to another tenant or name, nor an old value put back", async () => {
    await store.put(key, to("ghp_first-secret"));
    const first = (await kv.get("acme.github"))!.string();
    await kv.put("other.github", first);
    await kv.put("acme.gitlab", first);
    await expect(store.open("other", ["github"])).rejects.toMatchObject({ code: "MASTER_KEY_WRONG" });
    await expect(store.open("acme", ["gitlab"])).rejects.toMatchObject({ code: "MASTER_KEY_WRONG" });
    await kv.put("acme.github", first.replace('"version":1', '"version":2'));
    await expect(store.open("acme", ["github"])).rejects.toMatchObject({ code: "MASTER_KEY_WRONG" });
  });

  it("is missing once it was removed, and its name can be used again", async () => {
    await store.put(key, to("ghp_first-secret"));
    expect(await store.remove(key, { forget: false })).toBe(true);
    expect(await store.remove(key, { forget: false })).toBe(false);
    expect(await store.open("acme", ["github"])).toEqual({ values: [], missing: ["github"] });
    expect(await store.list("acme")).toEqual([]);
    expect(await store.put(key, to("ghp_second-secret"))).toMatchObject({
      created: true,
      connection: { version: 2 },
    });
  });

  it("says that it cannot tell, where the bucket does not answer", async () => {
    const away = Object.assign(Object.create(kv), { get: async () => Promise.reject(new Error("timeout")) });
    const blind = createConnectionStore({ kv: away, master, clock });
    await expect(blind.secrets("acme", ["github"])).rejects.toMatchObject({
      code: "CONNECTIONS_UNAVAILABLE",
    });
  });
});

describe("what is masked for a connection", () => {
  const shown = async (text: string) => {
    const masker = new SecretMasker(await store.secrets("acme", ["github"]));
    const parts = [...masker.push(Buffer.from(text), 0), ...masker.end()];
    return Buffer.concat(parts.map(({ bytes }) => bytes)).toString();
  };

  it("is what it holds and all that it held, also when it is removed, until that is forgotten", async () => {
    await store.put(key, to("first-secret"));
    await store.put(key, to("second-secret"));
    expect(await shown("first-secret second-secret")).toBe(`${"*".repeat(12)} ${"*".repeat(13)}`);
    await store.remove(key, { forget: false });
    expect(await shown("first-secret second-secret")).toBe(`${"*".repeat(12)} ${"*".repeat(13)}`);
    expect(await store.remove(key, { forget: true })).toBe(true);
    expect(await shown("first-secret")).toBe("first-secret");
  });

  it("is bounded: the oldest values go first", () => {
    const record = { version: 0, current: null, past: [] };
    const sealed = "x".repeat(PAST_CHARS_MAX / 3);
    let newest: Parameters<typeof replaced>[0] = record;
    for (let at = 0; at < 6; at++) newest = replaced(newest, { ...to("t"), sealed, at });
    expect(newest.past.map(({ version }) => version)).toEqual([5, 4, 3]);
    expect(removed(newest).past.map(({ version }) => version)).toEqual([6, 5, 4]);
    expect(removed(removed(newest))).toEqual(removed(newest));
  });
});
