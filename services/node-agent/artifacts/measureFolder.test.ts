import { link, mkdir, mkdtemp, open, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { measureFolder } from "./measureFolder.ts";

const MiB = 1024 * 1024;
const limits = { bytes: 2 * MiB, entries: 20, depth: 5 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cazi-measure-"));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

describe("what a container keeps in its folder", () => {
  it("is measured by what it takes up: holes, second names and links weigh nothing", async () => {
    const sparse = await open(at("sparse"), "w");
    await sparse.truncate(1024 * 1024 * MiB);
    await sparse.close();
    await writeFile(at("one"), Buffer.alloc(1.5 * MiB, 1));
    for (const name of ["two", "three"]) await link(at("one"), at(name));
    await symlink("/", at("root"));
    expect(await measureFolder(folder, limits)).toBeNull();
    await writeFile(at("more"), Buffer.alloc(MiB, 1));
    expect(await measureFolder(folder, limits)).toBe("/artifacts holds more than 2097152 bytes");
  });

  it("is bounded in names, however empty, wherever they are", async () => {
    await mkdir(at("inner"));
    for (let file = 0; file < 19; file++) await writeFile(at(`inner/${file}`), "");
    expect(await measureFolder(folder, limits)).toBeNull();
    await writeFile(at("one-too-many"), "");
    expect(await measureFolder(folder, limits)).toBe("/artifacts holds more than 20 files");
  });

  it("is bounded in depth", async () => {
    await mkdir(at("1/2/3/4/5"), { recursive: true });
    expect(await measureFolder(folder, limits)).toBeNull();
    await mkdir(at("1/2/3/4/5/6"));
    expect(await measureFolder(folder, limits)).toBe("/artifacts has folders more than 5 deep");
  });
});
