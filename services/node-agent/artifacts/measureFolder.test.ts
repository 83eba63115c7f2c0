import { closeSync, openSync } from "node:fs";
import { link, mkdir, mkdtemp, open, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { artifactFolderEntriesMax, artifactMeasureShare } from "../limits.ts";
import { measureFolder } from "./measureFolder.ts";

const MiB = 1024 * 1024;
const limits = { bytes: 2 * MiB, entries: 20, depth: 5 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cazi-measure-"));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const passed = async (within = limits) => (await measureFolder(folder, within)).passed;

describe("what a container keeps in its folder", () => {
  it("is measured by what it takes up: holes, second names and links weigh nothing", async () => {
    const sparse = await open(at("sparse"), "w");
    await sparse.truncate(1024 * 1024 * MiB);
    await sparse.close();
    await writeFile(at("one"), Buffer.alloc(1.5 * MiB, 1));
    for (const name of ["two", "three"]) await link(at("one"), at(name));
    await symlink("/", at("root"));
    expect(await passed()).toBeNull();
    await writeFile(at("more"), Buffer.alloc(MiB, 1));
    expect(await passed()).toBe("/artifacts holds more than 2097152 bytes");
  });

  it("is bounded in names, however empty, wherever they are", async () => {
    await mkdir(at("inner"));
    for (let file = 0; file < 19; file++) await writeFile(at(`inner/${file}`), "");
    expect(await passed()).toBeNull();
    await writeFile(at("one-too-many"), "");
    expect(await passed()).toBe("/artifacts holds more than 20 files");
  });

  it("is known to have too many names before one of them is looked at, and names need not be text", async () => {
    for (let file = 0; file < 21; file++) {
      await writeFile(
        Buffer.concat([Buffer.from(`${folder}/${file}`), Buffer.from([0xff])]),
        Buffer.alloc(MiB, 1),
      );
    }
    expect(await passed()).toBe("/artifacts holds more than 20 files");
    expect(await passed({ ...limits, entries: 21 })).toBe("/artifacts holds more than 2097152 bytes");
  });

  it("is measured often where it has as many names as it may, and others have their turn meanwhile", async () => {
    const names = 5_000;
    for (let file = 0; file < names; file++) closeSync(openSync(at(`${file}`), "w"));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const { passed: none, cpuMs } = await measureFolder(folder, { ...limits, entries: names });
    clearInterval(timer);
    expect(none).toBeNull();
    expect(turns).toBeGreaterThan(0);
    // A fifth of what it took by way of the thread pool; on an idle machine it is a tenth.
    expect((cpuMs / names) * artifactFolderEntriesMax * artifactMeasureShare).toBeLessThan(60_000);
  });

  it("is bounded in depth", async () => {
    await mkdir(at("1/2/3/4/5"), { recursive: true });
    expect(await passed()).toBeNull();
    await mkdir(at("1/2/3/4/5/6"));
    expect(await passed()).toBe("/artifacts has folders more than 5 deep");
  });
});
