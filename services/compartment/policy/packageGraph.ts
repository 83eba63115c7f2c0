/**
 * A package that is a folder: its package.json, the entry that this names, and every module file in it. It is read once
 * and pinned as a whole; inside of it modules name each other by relative path, and nothing outside of it is reached.
 */
import { lstatSync, readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import { isJsonObject, type JsonValue } from "../membrane/jsonText.ts";
import { sha256 } from "../membrane/sha256.ts";
import { fnv1a64 } from "./fnv1a64.ts";
import { readSource, type SourceFile } from "./readSource.ts";

const FILES_MAX = 256;
const TOTAL_BYTES_MAX = 4 * 1024 * 1024;

export interface PackageGraph {
  /** Path of the entry inside the folder. */
  readonly main: string;
  readonly files: ReadonlyMap<string, SourceFile>;
}

export interface Fingerprint {
  readonly bytes: number;
  readonly sha256: string;
  readonly fnv1a64: string;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** @throws Rejection `PACKAGE_REFUSED`, and those of {@link readSource} */
export function readPackageGraph(folder: string): PackageGraph & Fingerprint {
  const manifest = readSource(join(folder, "package.json"));
  const main = mainOf(manifest.text, folder);
  const files = new Map<string, SourceFile>();
  let bytes = manifest.bytes;
  for (const path of moduleFiles(folder, "")) {
    const source = readSource(join(folder, path));
    bytes += source.bytes;
    if (files.size >= FILES_MAX || bytes > TOTAL_BYTES_MAX) {
      throw refused(folder, `has more than ${FILES_MAX} modules or ${TOTAL_BYTES_MAX} bytes`);
    }
    files.set(path, source);
  }
  if (!files.has(main)) throw refused(folder, `has no module ${main}, which its package.json names`);
  const payload = payloadOf(manifest, main, files);
  return { main, files, bytes, sha256: sha256(payload), fnv1a64: fnv1a64(Buffer.from(payload)) };
}

/** What a pin is about: a file's bytes, or the whole of a package. */
export function fingerprint(path: string): Fingerprint {
  return isFolder(path) ? readPackageGraph(path) : readSource(path);
}

/** One line each; the hashes stand for the bytes, so that no content can look like another line. */
function payloadOf(manifest: SourceFile, main: string, files: ReadonlyMap<string, SourceFile>): string {
  const sources = [...files].map(([path, source]) => `source:${JSON.stringify(path)}:${source.sha256}`);
  const lines = ["agent-package-graph:v1", `package_json:${manifest.sha256}`, `main:${JSON.stringify(main)}`];
  return `${[...lines, ...sources].join("\n")}\n`;
}

function mainOf(text: string, folder: string): string {
  let manifest: JsonValue;
  try {
    manifest = JSON.parse(text) as JsonValue;
  } catch {
    throw refused(folder, "has a package.json that is not JSON");
  }
  const named = isJsonObject(manifest)
    ? (entryOf(manifest.exports) ?? manifest.module ?? manifest.main)
    : null;
  const main = posix.normalize(typeof named === "string" ? named : "index.js");
  if (main.startsWith("..") || posix.isAbsolute(main))
    throw refused(folder, "names an entry outside of itself");
  return main;
}

/** The entry of `exports`: a text, or its member `.`, or the conditions that hold for a module. */
function entryOf(exports: JsonValue | undefined): JsonValue | undefined {
  if (exports === undefined || typeof exports === "string" || !isJsonObject(exports)) return exports;
  return entryOf(exports["."] ?? exports.import ?? exports.default);
}

function* moduleFiles(folder: string, inner: string): Generator<string> {
  const names = readdirSync(join(folder, inner)).sort();
  for (const name of names) {
    const path = inner === "" ? name : `${inner}/${name}`;
    const stat = lstatSync(join(folder, path));
    if (stat.isSymbolicLink()) throw refused(folder, `has a link, ${path}`);
    if (stat.isDirectory()) {
      if (name !== "node_modules" && !name.startsWith(".")) yield* moduleFiles(folder, path);
    } else if (/\.m?js$/.test(name)) yield path;
  }
}

function refused(folder: string, why: string): Rejection {
  return new Rejection("PACKAGE_REFUSED", `The package ${folder} ${why}.`);
}
