import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openMasterKey } from "./masterKey.ts";

const secret = randomBytes(32).toString("base64");
const master = openMasterKey(secret);
const place = { label: "connection", parts: ["acme", "github", 3] };
const plain = Buffer.from("hunter2");

describe("what is sealed under the master key", () => {
  it("opens in its place, in another process with the same secret", () => {
    const sealed = master.seal(place, plain);
    expect(sealed).not.toContain("hunter2");
    expect(openMasterKey(secret).open(place, sealed)?.toString()).toBe("hunter2");
  });

  it.each([
    ["of another tenant", { ...place, parts: ["other", "github", 3] }],
    ["of another name", { ...place, parts: ["acme", "gitlab", 3] }],
    ["of another version", { ...place, parts: ["acme", "github", 2] }],
    ["whose parts only read alike", { ...place, parts: ["acmeg", "ithub", 3] }],
    ["of another kind", { ...place, label: "signing-key" }],
  ])("does not open in a place %s", (_what, elsewhere) => {
    expect(master.open(elsewhere, master.seal(place, plain))).toBeNull();
  });

  it("does not open under another secret, nor with one bit changed, nor cut, nor of another format", () => {
    const sealed = master.seal(place, plain);
    const bytes = Buffer.from(sealed.slice(3), "base64url");
    bytes[14]! ^= 1;
    expect(openMasterKey(randomBytes(32).toString("base64")).open(place, sealed)).toBeNull();
    expect(master.open(place, `s1.${bytes.toString("base64url")}`)).toBeNull();
    expect(master.open(place, sealed.slice(0, -3))).toBeNull();
    expect(master.open(place, "s1.AA")).toBeNull();
    expect(master.open(place, sealed.replace("s1.", "s2."))).toBeNull();
  });

  it("looks different each time, and the fingerprint is the same each time", () => {
    expect(master.seal(place, plain)).not.toBe(master.seal(place, plain));
    expect(master.fingerprint).toBe(openMasterKey(secret).fingerprint);
    expect(master.fingerprint).not.toBe(openMasterKey(`${secret}x`).fingerprint);
  });

  it("refuses a secret that is short enough to guess", () => {
    expect(() => openMasterKey("swordfish")).toThrow(/fewer than 32 characters/);
  });
});
