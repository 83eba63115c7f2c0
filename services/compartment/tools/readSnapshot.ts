/**
 * What `--fs-read` admits, read once before the program starts. The tools serve from this, so a file that changes or a
 * link that is put in its place during the run changes nothing, and the log's manifest is what the program could see.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import type { JsonObject } from "../membrane/jsonText.ts";
import { sha256 } from "../membrane/sha256.ts";
import type { NamedPath } from "../policy/agentConfig.ts";
import { matchesGlob } from "./matchesGlob.ts";

const FILES_MAX = 256;
const TOTAL_BYTES_MAX = 1024 * 1024;
const FILE_BYTES_MAX = 256 * 1024;
/** Also what is not read is listed in the log, so a root must not be a whole disk. */
const ENTRIES_MAX = 4096;

export interface SnapshotFile {
  /** As the program names it. */
  readonly path: string;
  readonly bytes: number;
  readonly kind: "text" | "refused";
  readonly reason: string | null;
  readonly content: string | null;
  readonly source_hash: string | null;
}

export type ReadSnapshot = ReadonlyMap<string, SnapshotFile>;

/** @throws Rejection `INPUT_UNREADABLE` when a root is not there */
export function readSnapshot(of: {
  readonly roots: readonly NamedPath[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}): ReadSnapshot {
  const files = new Map<string, SnapshotFile>();
  for (const root of of.roots) {
    const budget = { files: 0, bytes: 0 };
    const wanted = (relative: string) =>
      (of.include.length === 0 || of.include.some((glob) => matchesGlob(glob, relative))) &&
      !of.exclude.some((glob) => matchesGlob(glob, relative));
    for (const found of walk(root)) {
      if (!wanted(found.relative)) continue;
      files.set(found.name, take(found, budget));
      if (files.size > ENTRIES_MAX) {
        throw new Rejection("INPUT_TOO_LARGE", `--fs-read ${root.name} has more than ${ENTRIES_MAX} files.`, {
          hint: "Name a smaller folder, or narrow it with --fs-read-include.",
        });
      }
    }
  }
  return files;
}

interface Found {
  readonly name: string;
  readonly relative: string;
  readonly path: string;
  readonly symlink: boolean;
  readonly bytes: number;
}

function* walk(root: NamedPath): Generator<Found> {
  const name = posix.normalize(root.name).replace(/\/$/, "");
  let stat: ReturnType<typeof lstatSync>;
  try {
    stat = lstatSync(root.path);
  } catch (error) {
    throw new Rejection("INPUT_UNREADABLE", `--fs-read ${root.name} is not there.`, { cause: error });
  }
  if (!stat.isDirectory()) {
    yield {
      name,
      relative: posix.basename(name),
      path: root.path,
      symlink: stat.isSymbolicLink(),
      bytes: stat.size,
    };
    return;
  }
  yield* walkFolder(root.path, name, "");
}

function* walkFolder(folder: string, name: string, relative: string): Generator<Found> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const inner = relative === "" ? entry.name : `${relative}/${entry.name}`;
    const own = name === "." || name === "" ? inner : `${name}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFolder(path, own, inner);
    else if (entry.isFile() || entry.isSymbolicLink()) {
      yield {
        name: own,
        relative: inner,
        path,
        symlink: entry.isSymbolicLink(),
        bytes: entry.isFile() ? lstatSync(path).size : 0,
      };
    }
  }
}

function take(found: Found, budget: { files: number; bytes: number }): SnapshotFile {
  const refused = (reason: string): SnapshotFile => ({
    path: found.name,
    bytes: found.bytes,
    kind: "refused",
    reason,
    content: null,
    source_hash: null,
  });
  if (found.symlink) return refused("symlink_refused");
  if (found.bytes > FILE_BYTES_MAX) return refused("file_bytes_exceeded");
  if (budget.files >= FILES_MAX) return refused("files_exceeded");
  if (budget.bytes + found.bytes > TOTAL_BYTES_MAX) return refused("total_bytes_exceeded");
  const bytes = readFileSync(found.path);
  budget.files++;
  budget.bytes += bytes.length;
  const content = textOf(bytes);
  if (content === null) return refused("binary_refused");
  return {
    path: found.name,
    bytes: bytes.length,
    kind: "text",
    reason: null,
    content,
    source_hash: `sha256:${sha256(bytes)}`,
  };
}

function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What `run_start` says of the snapshot: all but the contents. */
export function snapshotManifest(files: ReadSnapshot): JsonObject[] {
  return [...files.values()].map(({ path, bytes, kind, reason, source_hash }) => ({
    path,
    bytes,
    kind,
    readable: kind === "text",
    reason,
    source_hash,
  }));
}
