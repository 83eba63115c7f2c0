import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { judgeMount } from "./mountRules.ts";
import { resolveMounts } from "./resolveMounts.ts";

const mount = (source: string, more: object = {}) => ({ source, target: "/data", read_only: true, ...more });
const policy = { allowlist: ["/srv/data"], own: ["/srv/data/cazi-home"] };

describe("mounts of a task", () => {
  it("are allowed at and below the allowlist, read-only unless asked otherwise", () => {
    expect(judgeMount(mount("/srv/data"), "/srv/data/in", policy)).toEqual({
      source: "/srv/data/in",
      target: "/data",
      readOnly: true,
    });
    expect(judgeMount(mount("/srv/data/in", { read_only: false }), "/srv/data/in", policy)).toMatchObject({
      readOnly: false,
    });
  });

  it.each([
    ["outside the allowlist", "/srv/other", "allowlist"],
    ["whose name only begins like an allowed one", "/srv/database", "allowlist"],
    ["of the root", "/", "bring in"],
    ["of /etc", "/etc", "/etc"],
    ["of /proc", "/proc/1", "/proc"],
    ["of a run folder", "/run/user", "/run"],
    ["of the engine's files", "/var/lib/docker/volumes", "/var/lib/docker"],
    ["that holds the engine's socket", "/var", "bring in"],
    ["of an engine's socket in an allowed folder", "/srv/data/docker.sock", "socket"],
    ["of Cazi's own home", "/srv/data/cazi-home/node", "keys"],
    ["that holds Cazi's own home", "/srv/data", "keys"],
    ["of what does not exist", null, "no such path"],
  ])("are refused: %s", (_, real, rule) => {
    const everything = { allowlist: ["/", "/srv/data"], own: policy.own };
    const allowed = real === "/srv/other" || real === "/srv/database" ? policy : everything;
    expect(judgeMount(mount("/asked"), real, allowed)).toContain(rule);
  });

  it("are refused over the container's own system folders", () => {
    expect(judgeMount(mount("/srv/data/in", { target: "/proc" }), "/srv/data/in", policy)).toContain("/proc");
  });
});

describe("links in mounts", () => {
  const folder = mkdtempSync(join(tmpdir(), "cazi-mounts-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are followed before the decision, so that a link out of the allowlist is refused", async () => {
    mkdirSync(join(folder, "allowed"));
    mkdirSync(join(folder, "secret"));
    symlinkSync(join(folder, "secret"), join(folder, "allowed", "link"));
    const rules = { allowlist: [join(folder, "allowed")], own: [] };
    expect(await resolveMounts([mount(join(folder, "allowed", "link"))], rules)).toContain("allowlist");
    expect(await resolveMounts([mount(join(folder, "allowed"))], rules)).toHaveLength(1);
  });
});
