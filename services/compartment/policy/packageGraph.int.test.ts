import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder, runProgram } from "../testing/runProgram.ts";
import { fingerprint } from "./packageGraph.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
put("pkg/package.json", '{"name":"pad","exports":{".":{"import":"./lib/index.js"}}}');
put("pkg/lib/index.js", 'export { pad } from "./inner/pad.js"; export { version } from "../version.mjs";');
put("pkg/lib/inner/pad.js", 'import "other"; export const pad = (s) => "  " + s;');
put("pkg/version.mjs", "export const version = 1;");
put("other/package.json", "{}");
put("other/index.js", "export default 1;");
put("secret.js", "export default 'outside';");

const pin = (name: string) => {
  const { fnv1a64, sha256 } = fingerprint(join(folder, name));
  return `${fnv1a64},sha256:${sha256}`;
};
const flags = () =>
  [
    ["pad", "pkg"],
    ["other", "other"],
  ].flatMap(([name, path]) => [`--package=${name}=${path}`, `--package-integrity=${name}=${pin(path!)}`]);
const run = (source: string, more: readonly string[] = []) =>
  runProgram(source, { folder, flags: [...flags(), ...more, `--run-id=r${Math.random()}`] });

describe("a package that is a folder", () => {
  it("is imported by its name, and its modules find each other inside of it", async () => {
    const ran = await run(
      'import { pad, version } from "pad"; emit({ r: pad("x"), version, v: await importValue("other", "default") });',
    );
    expect(ran.events).toEqual([{ r: "  x", version: 1, v: 1 }]);
    expect(ran.of("module_result").map(({ specifier }) => specifier)).toEqual([
      "package:pad/lib/index.js",
      "package:pad/lib/inner/pad.js",
      "package:other/index.js",
      "package:pad/version.mjs",
    ]);
  });

  it("is not entered beside its entry, and not left by a relative path", async () => {
    const denied = [
      "pad/lib/index.js",
      "package:pad/lib/index.js",
      "./pkg/version.mjs",
      "package:pad/../secret.js",
    ];
    const ran = await run(
      `for (const s of ${JSON.stringify(denied)}) { try { await import(s); emit({ s }) } catch { } }`,
    );
    expect(ran.events).toEqual([]);
    expect(ran.of("module_denial")).toHaveLength(denied.length);
    for (const path of ["../../secret.js", "../../other/index.js", "../../package:other/index.js"]) {
      put(
        "pkg/version.mjs",
        `export const version = await import("${path}").then(() => 1, (e) => String(e));`,
      );
      const left = await run('import { version } from "pad"; emit({ version });');
      expect(left.events).toEqual([{ version: expect.stringContaining("agent module denied") }]);
    }
    put("pkg/version.mjs", "export const version = 1;");
  });

  it("is refused when any file of it is another, more or less", async () => {
    const pinned = flags();
    const changes: (readonly [string, string | null])[] = [
      ["pkg/version.mjs", "export const version = 2;"],
      ["pkg/more.js", ""],
      ["pkg/package.json", '{"exports":"./lib/inner/pad.js"}'],
    ];
    for (const [name, text] of changes) {
      const before = { name, text: name === "pkg/more.js" ? null : readFileSync(join(folder, name), "utf8") };
      put(name, text!);
      await expect(runProgram("", { folder, flags: pinned })).rejects.toMatchObject({
        code: "INTEGRITY_MISMATCH",
      });
      if (before.text === null) rmSync(join(folder, name));
      else put(name, before.text);
    }
  });

  it("can be the program, and holds no link and no missing entry", async () => {
    put("app/package.json", '{"main":"main.js"}');
    put("app/main.js", 'import { n } from "./n.js"; emit({ n });');
    put("app/n.js", "export const n = 3;");
    const app = () => [`--package=app=app`, `--package-integrity=app=${pin("app")}`, "--entry-module=app"];
    expect((await runProgram("", { folder, flags: app() })).events).toEqual([{ n: 3 }]);
    symlinkSync("/etc/hostname", join(folder, "app/x.js"));
    expect(() => pin("app")).toThrow(expect.objectContaining({ code: "PACKAGE_REFUSED" }));
    rmSync(join(folder, "app/x.js"));
    put("app/package.json", '{"main":"gone.js"}');
    expect(() => pin("app")).toThrow(expect.objectContaining({ code: "PACKAGE_REFUSED" }));
    put("app/package.json", '{"main":"../secret.js"}');
    expect(() => pin("app")).toThrow(expect.objectContaining({ code: "PACKAGE_REFUSED" }));
  });
});
