/**
 * Bundles the programs into dist/. Split into chunks, so that `cazi --help` reads little; packages stay outside, but
 * for the option parser, which every call loads.
 * Files of the build before this one are kept: a Cazi that still runs from it loads its chunks late.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceHash } from "./bootstrap/sourceHash.mjs";
import { BootstrapError, say } from "./bootstrap/speak.mjs";

const programs = {
  cazi: "services/cli/main.ts",
  postgresServer: "deploy/embedded/postgresServer.ts",
};
const recordName = ".build.json";

/** @param {string} root */
export function buildIsCurrent(root) {
  return readRecord(root)?.sources === sourceHash(root);
}

/**
 * Builds when sources changed.
 * @param {string} root
 */
export async function ensureBuild(root) {
  const record = readRecord(root);
  const sources = sourceHash(root);
  if (record?.sources === sources) return;
  say(`Building dist/, because ${record === null ? "there is none" : "sources changed"}`);
  const files = await build(root);
  const previous = record?.files ?? [];
  const kept = new Set([...files, ...previous]);
  for (const old of record?.previous ?? [])
    if (!kept.has(old)) rmSync(join(root, "dist", old), { force: true });
  writeFileSync(join(root, "dist", recordName), JSON.stringify({ sources, files, previous }));
}

/**
 * @param {string} root
 * @returns {Promise<string[]>} what it wrote, as names inside dist/
 */
async function build(root) {
  const { build: bundle, stop } = await import("esbuild");
  const result = await bundle({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    plugins: [optionParserInside(root)],
    chunkNames: "[name]-[hash]",
    sourcemap: true,
    write: false,
    logLevel: "silent",
  }).catch((error) => {
    throw new BootstrapError(`The build failed: ${error.message}`);
  });
  // Its helper process would stay as long as Cazi runs.
  await stop();
  const dist = join(root, "dist");
  mkdirSync(dist, { recursive: true });
  // Entries last and each by rename: whoever starts meanwhile finds a whole program.
  const outputs = result.outputFiles.map((file) => ({
    name: file.path.slice(dist.length + 1),
    bytes: file.contents,
  }));
  outputs.sort((a, b) => Number(isEntry(a.name)) - Number(isEntry(b.name)));
  for (const { name, bytes } of outputs) {
    writeFileSync(join(dist, `${name}.${process.pid}.tmp`), bytes);
    renameSync(join(dist, `${name}.${process.pid}.tmp`), join(dist, name));
  }
  return outputs.map(({ name }) => name);
}

/**
 * Takes commander into the bundle: 10 ms less CPU a call, of the 50 that `--help` takes beyond a bare Node. Half of that is
 * `node:process`, whose import makes Node open stdin; what commander needs of it is there anyway. The programs it
 * could start as commands of its own are no feature of ours.
 * @param {string} root
 * @returns {import("esbuild").Plugin}
 */
function optionParserInside(root) {
  const entry = createRequire(join(root, "package.json")).resolve("commander");
  /** @type {Record<string, string>} */
  const contents = {
    "node:process": "module.exports = globalThis.process;",
    "node:child_process": "module.exports = {};",
  };
  return {
    name: "option parser inside",
    setup(build) {
      build.onResolve({ filter: /^commander$/ }, () => ({ path: entry }));
      build.onResolve({ filter: /^node:/ }, ({ path, importer }) =>
        importer.startsWith(dirname(entry)) ? { path, namespace: "built-in" } : { path, external: true },
      );
      build.onLoad({ filter: /.*/, namespace: "built-in" }, ({ path }) => ({
        contents: contents[path] ?? `export * from "${path}";`,
      }));
    },
  };
}

/** @param {string} name */
function isEntry(name) {
  return Object.keys(programs).some((program) => name === `${program}.js`);
}

/**
 * @param {string} root
 * @returns {{ sources: string, files: string[], previous: string[] } | null}
 */
function readRecord(root) {
  try {
    const record = JSON.parse(readFileSync(join(root, "dist", recordName), "utf8"));
    return record.files.every((/** @type {string} */ file) => existsSync(join(root, "dist", file)))
      ? record
      : null;
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuild(fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, ""));
}
