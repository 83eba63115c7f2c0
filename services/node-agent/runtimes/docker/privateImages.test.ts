import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openPrivateImages } from "./privateImages.ts";
import { credentialsFor } from "./registryCredentials.ts";

const home = mkdtempSync(join(tmpdir(), "cazi-private-"));
afterAll(() => rmSync(home, { recursive: true }));
const login = { username: "u", password: "p" };

describe("repositories that gave images by credentials", () => {
  it("are known before the pull, by any of their references, over a restart", async () => {
    const file = join(home, "a", "private-images.json");
    const images = await openPrivateImages(file);
    await images.begins("r.io/acme/app:1");
    const again = await openPrivateImages(file);
    for (const ref of ["r.io/acme/app:1", "r.io/acme/app:2", `r.io/acme/app@sha256:${"0".repeat(64)}`]) {
      expect(again.has(ref), ref).toBe(true);
    }
    for (const ref of ["r.io/acme/app2", "acme/app", "r.io:5000/acme/app"])
      expect(again.has(ref), ref).toBe(false);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  });

  it("are public once they gave one to nobody in particular", async () => {
    const file = join(home, "b.json");
    const images = await openPrivateImages(file);
    await images.begins("alpine:3");
    await images.isPublic("alpine:latest");
    expect(images.has("alpine:3")).toBe(false);
    expect((await openPrivateImages(file)).has("alpine:3")).toBe(false);
  });
});

describe("the credentials for a reference", () => {
  it.each([
    ["ghcr.io/acme/app:1", "ghcr.io"],
    ["127.0.0.1:5000/app", "127.0.0.1:5000"],
    ["alpine", "docker.io"],
    ["acme/app:2", "index.docker.io"],
    ["docker.io/acme/app", "registry-1.docker.io"],
  ])("of %s are those for %s", (ref, host) => {
    expect(credentialsFor(ref, { "other.io": { username: "x", password: "y" }, [host]: login })).toEqual(
      login,
    );
  });

  it("are none for another registry, or another port of it", () => {
    expect(credentialsFor("127.0.0.1:5001/app", { "127.0.0.1:5000": login })).toBeNull();
    expect(credentialsFor("ghcr.io/app", { "docker.io": login })).toBeNull();
  });
});
