import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/** What the figures were made on. The load tells how much to doubt them. */
export function machineFacts() {
  return {
    at: new Date().toISOString(),
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? "unknown",
    memory_gb: Math.round(totalmem() / 1024 ** 3),
    load_1_minute: Number(loadavg()[0]!.toFixed(1)),
    os: osName(),
    node: process.version,
    nats: versionOf("nats-server", ["--version"]).replace(":", ""),
    docker: versionOf("docker", ["version", "--format", "{{.Server.Version}}"]),
    commit: versionOf("git", ["rev-parse", "--short", "HEAD"]),
  };
}

export type MachineFacts = ReturnType<typeof machineFacts>;

function osName(): string {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}

function versionOf(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "none";
  }
}
