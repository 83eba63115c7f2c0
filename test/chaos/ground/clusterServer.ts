/**
 * Which nats-server a cluster is made of in the long runs. Before 2.10 a change of leader may take back what was
 * acknowledged (ADR 0036), and no reader can make that good: nothing would be learnt of Cazi from it. Debian 12 has 2.9.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../../../deploy/embedded/findProgram.ts";

const run = promisify(execFile);
/** A later Debian whose package needs nothing that Debian 12 lacks. */
const suite = "trixie";
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const versionMin = { major: 2, minor: 10 };

export interface ClusterServer {
  readonly program: string;
  /** `2.10.27` */
  readonly version: string;
}

/**
 * @param given an operator's own, of whatever version
 * @returns that, or what is installed, or where that is too old the package of a later Debian, which is kept in a cache
 * @throws Error when there is none; the message says what to do
 */
export async function clusterServer(given: string | undefined): Promise<ClusterServer> {
  if (given !== undefined) return { program: given, version: await versionOf(given) };
  const installed = findProgram("nats-server", process.env.PATH ?? "");
  if (installed !== null) {
    const version = await versionOf(installed);
    if (isNewEnough(version)) return { program: installed, version };
  }
  const program = await laterDebians().catch((cause: unknown) => {
    const wanted = `${versionMin.major}.${versionMin.minor}`;
    throw new Error(`clusters need nats-server ${wanted} or later: name one with --nats-server FILE`, {
      cause,
    });
  });
  return { program, version: await versionOf(program) };
}

async function versionOf(program: string): Promise<string> {
  const { stdout } = await run(program, ["--version"]);
  return stdout.trim().replace(/^.*v/, "");
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > versionMin.major || (major === versionMin.major && minor >= versionMin.minor);
}

/** Unpacked beside the system, which keeps its own. */
async function laterDebians(): Promise<string> {
  const folder = join(homedir(), ".cache", "cazi", `nats-server-${suite}`);
  const program = join(folder, "usr", "sbin", "nats-server");
  if (existsSync(program)) return program;
  const work = join(folder, "apt");
  rmSync(work, { recursive: true, force: true });
  for (const made of ["lists/partial", "archives/partial"]) mkdirSync(join(work, made), { recursive: true });
  const list = join(work, "sources.list");
  writeFileSync(list, `deb [signed-by=${keyring}] http://deb.debian.org/debian ${suite} main\n`);
  const settings = {
    "Dir::Etc::sourcelist": list,
    "Dir::Etc::sourceparts": "-",
    "Dir::State::lists": join(work, "lists"),
    "Dir::Cache": work,
    "APT::Sandbox::User": "root",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  console.error(`Fetching the nats-server of Debian ${suite} for clusters`);
  await run("apt-get", [...options, "update", "-qq"], { cwd: work });
  await run("apt-get", [...options, "download", "-qq", "nats-server"], { cwd: work });
  const file = readdirSync(work).find((name) => name.endsWith(".deb"));
  if (file === undefined) throw new Error("apt-get brought no package");
  await run("dpkg-deb", ["-x", join(work, file), folder]);
  rmSync(work, { recursive: true, force: true });
  return program;
}
