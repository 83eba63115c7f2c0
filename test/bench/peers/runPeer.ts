import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../services/kernel/projectRoot.ts";
import { progress } from "../system/progress.ts";

/** What a system did: jobs a second with 20 at once, and from the enqueue of a single one to its start. */
export interface PeerFigures {
  readonly perSecond: number;
  /** Median, in milliseconds. */
  readonly startMs: number;
}

const folder = join(projectRoot, "test/bench/peers");
const run = promisify(execFile);
const outputBytesMax = 64 * 1024 ** 2;
const runDeadlineMs = 240_000;

/** Installs what package-lock.json names, unless that was done. Nothing of it runs while it is installed. */
export async function installPeers(): Promise<void> {
  if (existsSync(join(folder, "node_modules", ".package-lock.json"))) return;
  progress("installing the peers' packages (270 MB)");
  await run("npm", ["ci", "--ignore-scripts"], { cwd: folder, maxBuffer: outputBytesMax });
}

/** Runs one peer's program against its server. */
export async function runPeer(
  program: readonly [string, ...string[]],
  of: { readonly server: string; readonly jobs: number; readonly idle: number },
): Promise<PeerFigures> {
  const [file, ...more] = program;
  const { stdout } = await run(process.execPath, [join(folder, file), JSON.stringify(of), ...more], {
    cwd: folder,
    // As it would be run where speed matters: Restate's library tells of every call otherwise.
    env: { ...process.env, NODE_ENV: "production", RESTATE_LOGGING: "ERROR" },
    maxBuffer: outputBytesMax,
    timeout: runDeadlineMs,
  });
  return lastFigures(stdout);
}

/** @param text what a peer's program printed; systems print lines of their own before the figures */
export function lastFigures(text: string): PeerFigures {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  const { perSecond, startMs } = JSON.parse(line) as Partial<PeerFigures>;
  if (typeof perSecond !== "number" || typeof startMs !== "number") throw new Error(`no figures: ${line}`);
  return { perSecond, startMs };
}
