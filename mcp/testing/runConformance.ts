/** The official conformance suite in a process of its own, against an endpoint on this machine. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../services/kernel/projectRoot.ts";

const suite = join(projectRoot, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const onNode20 = join(projectRoot, "mcp/testing/conformanceOnNode20.mjs");
/** All scenarios take 3 s on a quiet machine. */
const deadlineMs = 50_000;

/**
 * Every scenario for servers of one version of the protocol. The suite fails when one outside `notOffered` fails,
 * and also when one of them passes.
 * @param of.notOffered scenarios, or `scenario:check`s, that need what this server does not have
 */
export async function runConformance(of: {
  readonly url: string;
  readonly version: string;
  readonly notOffered: readonly string[];
}): Promise<{ readonly code: number | null; readonly said: string }> {
  const { url, version, notOffered } = of;
  const folder = mkdtempSync(join(tmpdir(), "cazi-conformance-"));
  const baseline = join(folder, "baseline.yml");
  writeFileSync(baseline, `server:\n${notOffered.map((name) => `  - ${name}\n`).join("")}`);
  const args = [
    "server",
    "--url",
    url,
    "--suite",
    "all",
    "--spec-version",
    version,
    "--expected-failures",
    baseline,
    "-o",
    folder,
  ];
  try {
    const child = spawn(process.execPath, ["--import", onNode20, suite, ...args], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: deadlineMs,
      killSignal: "SIGKILL",
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    return { code, said };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
