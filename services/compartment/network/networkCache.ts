/**
 * Answers of named endpoints on the disk, one file each: whole or not there, private to their owner, bounded in number.
 * A file that is not what was written is as good as none.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../jobs/manifest.ts";
import { sha256 } from "../membrane/sha256.ts";

/** What an answer is the answer to. The credential's name is part of it: what one may see, another may not. */
export interface CacheKey {
  readonly tool: string;
  readonly endpoint: string;
  /** Canonical JSON of the arguments. */
  readonly args: string;
  readonly credential_env: string | null;
}

export type CacheFinding =
  | { readonly state: "hit" | "stale"; readonly text: string; readonly ageMs: number }
  | { readonly state: "miss" | "corrupt" };

export interface NetworkCache {
  find(key: CacheKey): CacheFinding;
  /** Gives the number of entries that had to go. */
  store(key: CacheKey, text: string): number;
}

interface Entry {
  readonly type: "cazi_named_network_cache_entry";
  readonly schema_version: 1;
  readonly key: CacheKey;
  readonly stored_ms: number;
  readonly sha256: string;
  readonly text: string;
}

export function openNetworkCache(of: {
  readonly folder: string;
  /** Null: an entry never grows old. */
  readonly maxAgeMs: number | null;
  readonly maxEntries: number;
  readonly nowMs: () => number;
}): NetworkCache {
  const fileOf = (key: CacheKey) => {
    const name = sha256(JSON.stringify([key.tool, key.endpoint, key.args, key.credential_env]));
    return join(of.folder, `${name}.json`);
  };
  return {
    find(key) {
      const path = fileOf(key);
      if (!existsSync(path)) return { state: "miss" };
      const entry = readEntry(path);
      if (entry === null) return { state: "corrupt" };
      const ageMs = of.nowMs() - entry.stored_ms;
      // One from the future is as old as can be: a clock that was set back must not keep it fresh.
      const stale = of.maxAgeMs !== null && (ageMs > of.maxAgeMs || ageMs < 0);
      return { state: stale ? "stale" : "hit", text: entry.text, ageMs };
    },
    store(key, text) {
      const entry: Entry = {
        type: "cazi_named_network_cache_entry",
        schema_version: 1,
        key,
        stored_ms: of.nowMs(),
        sha256: sha256(text),
        text,
      };
      mkdirSync(of.folder, { recursive: true, mode: 0o700 });
      const path = fileOf(key);
      writeDurably(path, `${JSON.stringify(entry)}\n`);
      return evict(of.folder, of.maxEntries, path);
    },
  };
}

function readEntry(path: string): Entry | null {
  try {
    const entry = JSON.parse(readFileSync(path, "utf8")) as Entry;
    const whole = entry.schema_version === 1 && sha256(entry.text) === entry.sha256;
    return whole && Number.isFinite(entry.stored_ms) ? entry : null;
  } catch {
    return null;
  }
}

/** The oldest go, never the one that was just written. Another process may be at the same: a file may be gone. */
function evict(folder: string, maxEntries: number, kept: string): number {
  const others = readdirSync(folder)
    .filter((name) => name.endsWith(".json") && join(folder, name) !== kept)
    .map((name) => ({
      path: join(folder, name),
      age: statSync(join(folder, name), { throwIfNoEntry: false }),
    }))
    .sort((a, b) => (a.age?.mtimeMs ?? 0) - (b.age?.mtimeMs ?? 0));
  const surplus = others.slice(0, Math.max(0, others.length + 1 - maxEntries));
  for (const { path } of surplus) rmSync(path, { force: true });
  return surplus.length;
}
