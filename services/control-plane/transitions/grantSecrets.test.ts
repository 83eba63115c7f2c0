import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../kernel/canonicalJson.ts";
import { createConnectionStore } from "../../kernel/connections/connectionStore.ts";
import { openMasterKey } from "../../kernel/sealing/masterKey.ts";
import { memoryKv } from "../../kernel/testing/memoryKv.ts";
import { connectionsIn, grantSecrets } from "./grantSecrets.ts";

describe("the connections of a recorded spec", () => {
  it("are found in it, and not in text that only reads alike", () => {
    const named = canonicalJson({ connections: ["b", "a"], image: "x" });
    const quoted = canonicalJson({ connections: [], rationale: '"connections":["a"]' });
    expect(connectionsIn(named)).toEqual(["b", "a"]);
    expect(connectionsIn(quoted)).toEqual([]);
    expect(connectionsIn("{}")).toEqual([]);
  });
});

describe("what a grant hands over", () => {
  const store = createConnectionStore({
    kv: memoryKv(),
    master: openMasterKey("a master key that is used in tests alone"),
    clock: { now: () => 1, monotonicMs: () => 1 },
  });
  const put = (name: string, values: object) =>
    store.put(
      { tenant: "acme", name },
      { values: { environment: {}, files: {}, registry: null, ...values }, description: null, by: "user:a" },
    );

  it("is the union of the connections, later ones first in rank, each one's files below its name", async () => {
    await put("a", { environment: { X: "1", Y: "1" }, files: { "k/id": "QQ==" } });
    await put("b", { environment: { X: "2" }, registry: { host: "r.io", username: "u", password: "p" } });
    expect(await grantSecrets(store, "acme", ["a", "b"])).toEqual({
      environment: { X: "2", Y: "1" },
      files: { "a/k/id": "QQ==" },
      registries: { "r.io": { username: "u", password: "p" } },
    });
  });

  it("is the name of one that is not there, and nothing where none is asked for", async () => {
    expect(await grantSecrets(store, "acme", ["a", "gone"])).toEqual({ missing: "gone" });
    expect(await grantSecrets(store, "other", ["a"])).toEqual({ missing: "a" });
    expect(await grantSecrets(store, "acme", [])).toBeNull();
  });
});
